import { plainStatement } from './plainStatement.ts';

/** Amounts in cents: a month of small purchases, a salary and the rent. */
const AMOUNTS = [-1000, -2050, 50000, -75, -1999, -31000, -420, -888];

/**
 * A statement with eight rows whose balances follow from each other, but for one: the balance of row
 * `changedRow` (from 1) is printed 100.00 too high. Null for none.
 */
export async function tamperedStatement(changedRow: number | null): Promise<Buffer> {
	let balance = 100_000;
	const rows = AMOUNTS.map((amount, index) => {
		balance += amount;
		return {
			date: `12/${String(index + 5).padStart(2, '0')}/2025`,
			description: `CARD ${index + 1} EXAMPLE STORE`,
			amount: dollars(amount),
			balance: dollars(balance + (index + 1 === changedRow ? 10_000 : 0)),
		};
	});
	return await plainStatement({
		period: '12/01/2025 - 12/31/2025',
		rows,
		endingBalance: `$${dollars(balance)}`,
	});
}

function dollars(cents: number): string {
	const digits = String(Math.abs(cents)).padStart(3, '0');
	const whole = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, ',');
	return `${cents < 0 ? '-' : ''}${whole}.${digits.slice(-2)}`;
}
