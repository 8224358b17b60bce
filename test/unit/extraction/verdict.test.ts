import fc from 'fast-check';
import { groupedDataToItems } from '../../../nodes/shared/extraction';
import { account, entries, grouped, row } from './statements';

interface AccountJson {
	verdict: string;
	difference: string | null;
	verdictNote: string | null;
	periods: Array<Record<string, unknown>>;
}

function judge(one: Record<string, unknown>, name = '4400123'): AccountJson {
	const [item] = groupedDataToItems(
		{ body: grouped({ [name]: one }) },
		{ output: 'accounts', pairedItem: 0 },
	);
	return item?.json as unknown as AccountJson;
}

const RECONCILED = 'reconciled';
const NOT = 'not reconciled';
const NOTHING = 'nothing to check against';

describe('the verdict on one period', () => {
	// Rows, start, end and the service's own word; then verdict and difference.
	const rows = [row(-12.5), row(112.75)];
	it.each([
		['adds up', rows, '100.00', '200.25', undefined, RECONCILED, '0.00'],
		['adds up, and the service agrees', rows, '100.00', '200.25', '1', RECONCILED, '0.00'],
		['adds up, but the service does not agree', rows, '100.00', '200.25', '0', NOT, '0.00'],
		['is a cent off', rows, '100.00', '200.26', undefined, NOT, '0.01'],
		['is a cent off the other way', rows, '100.00', '200.24', '0', NOT, '-0.01'],
		['is off, though the service says it is right', rows, '100.00', '300.00', '1', NOT, '99.75'],
		['has no start balance', rows, undefined, '200.25', undefined, NOTHING, null],
		['has no end balance', rows, '100.00', undefined, '1', NOTHING, null],
		['has no balances', rows, undefined, undefined, '1', NOTHING, null],
		['has an unreadable balance', rows, '100.00', 'see page 2', '1', NOTHING, null],
		['has a balance with two readings', rows, '100.00', '1,234', '1', NOTHING, null],
		['has no rows and equal balances', [], '100.00', '100.00', '1', NOTHING, null],
		['has no rows and other balances', [], '100.00', '90.00', undefined, NOT, '-10.00'],
		['has a row without an amount', [...rows, row(null)], '100.00', '200.25', '1', NOTHING, null],
		['has a row with a broken amount', [...rows, row('1,719.3 3')], '1', '2', '1', NOTHING, null],
		['has a row of 0.00 alone', [row(0)], '100.00', '100.00', '1', RECONCILED, '0.00'],
		['has grouped digits', [row('1,134.50')], '$1,000.00', '2,134.50', '1', RECONCILED, '0.00'],
		['has decimal commas', [row('-0,50')], '1.000,00', '999,50', 'true', RECONCILED, '0.00'],
		[
			'has more digits than a double',
			[row('0.01')],
			'12345678901234567.89',
			'12345678901234567.90',
			1,
			RECONCILED,
			'0.00',
		],
		[
			'has amounts that floats do not add',
			[row(0.1), row(0.2)],
			'0',
			'0.3',
			undefined,
			RECONCILED,
			'0.00',
		],
	] as Array<[string, unknown[], unknown, unknown, unknown, string, string | null]>)(
		'%s',
		(_what, given, startBalance, endBalance, isReconciled, verdict, difference) => {
			const facts = Object.entries({ startBalance, endBalance, isReconciled }).filter(
				([, value]) => value !== undefined,
			);
			const metadata = entries(Object.fromEntries(facts));
			expect(judge(account({ rows: given, metadata }))).toMatchObject({ verdict, difference });
		},
	);

	it.each([
		['contradicts the service', { isReconciled: '1', endBalance: '1.00' }, /numbers disagree/],
		['could not check the claim', { isReconciled: '1', endBalance: '' }, /could not be checked/],
		['does not agree with the service', { isReconciled: '0' }, /service reports it as not/],
		['cannot read a balance', { endBalance: 'n/a' }, /end balance "n\/a" cannot be read/],
		['misses a balance', { startBalance: null }, /start balance is missing/],
	])('says why it %s', (_what, changed, note) => {
		const facts = { startBalance: '100.00', endBalance: '200.25', ...changed };
		expect(judge(account({ metadata: entries(facts) })).verdictNote).toMatch(note);
	});

	it('says that signs may be reversed where that would make it add up', () => {
		const facts = entries({ startBalance: '100.00', endBalance: '150.00', isReconciled: '1' });
		const { verdict, difference, verdictNote } = judge(
			account({ rows: [row(-50)], metadata: facts }),
		);
		expect([verdict, difference]).toEqual([NOT, '100.00']);
		expect(verdictNote).toMatch(/every sign turned round/);
	});

	it('takes no balance that is given twice with different values', () => {
		const metadata = [
			...entries({ startBalance: '100.00', endBalance: '200.25' }),
			...entries({ endBalance: '200.26' }),
		];
		const { verdict, verdictNote } = judge(account({ metadata }));
		expect(verdict).toBe(NOTHING);
		expect(verdictNote).toMatch(/given twice/);
	});

	it('takes a balance that is blank in one entry and given in another', () => {
		const metadata = [
			...entries({ startBalance: '', endBalance: null }),
			...entries({ startBalance: '100.00', endBalance: '200.25' }),
		];
		expect(judge(account({ metadata })).verdict).toBe(RECONCILED);
	});

	it('takes no two words of the service for agreement', () => {
		const facts = { startBalance: '100.00', endBalance: '200.25' };
		const metadata = [
			...entries({ ...facts, isReconciled: '1' }),
			...entries({ isReconciled: '0' }),
		];
		expect(judge(account({ metadata })).verdict).toBe(NOT);
	});

	it('never judges check images', () => {
		expect(judge(account(), 'checks')).toMatchObject({ verdict: NOTHING, difference: null });
	});
});

describe('totals and counts', () => {
	const right = { totalCredits: '112.75', totalDebits: '-12.50', numCredits: 1, numDebits: 1 };

	it.each([
		['all agree', right],
		['debits come without a minus', { ...right, totalDebits: '12.50' }],
		['totals come as numbers', { ...right, totalCredits: 112.75, totalDebits: -12.5 }],
		['counts come as text', { ...right, numCredits: '1' }],
		['they are left out', {}],
		['they are empty', { totalCredits: '', totalDebits: null }],
		['one cannot be read', { ...right, totalCredits: 'n/a' }],
	])('leave the verdict alone where %s', (_what, bankMode) => {
		expect(judge(account({ bankMode })).verdict).toBe(RECONCILED);
	});

	it.each([
		['credits differ', { ...right, totalCredits: '112.76' }, /totalCredits is 112\.76.*112\.75/],
		['debits differ', { ...right, totalDebits: '-4824.50' }, /totalDebits is -4824\.50/],
		['a credit is missing', { ...right, numCredits: 2 }, /numCredits is 2.*give 1/],
		['a debit is too many', { ...right, numDebits: 0 }, /numDebits is 0/],
		['a count is no whole number', { ...right, numDebits: 1.5 }, /numDebits is 1\.50/],
	])('make it not reconciled where %s', (_what, bankMode, note) => {
		const { verdict, difference, verdictNote } = judge(account({ bankMode }));
		expect([verdict, difference]).toEqual([NOT, '0.00']);
		expect(verdictNote).toMatch(note);
	});

	it('show a missing row where there are no balances', () => {
		const bankMode = { ...right, totalDebits: '-4824.50' };
		expect(judge(account({ bankMode, metadata: [] }))).toMatchObject({
			verdict: NOT,
			difference: null,
		});
	});

	it('do not prove anything by themselves', () => {
		expect(judge(account({ bankMode: right, metadata: [] })).verdict).toBe(NOTHING);
	});

	it('may count a row of 0.00 on either side', () => {
		const rows = [row(112.75), row(-12.5), row(0)];
		for (const counts of [
			{ numCredits: 2, numDebits: 1 },
			{ numCredits: 1, numDebits: 2 },
			{ numCredits: 1, numDebits: 1 },
		]) {
			expect(judge(account({ rows, bankMode: counts })).verdict).toBe(RECONCILED);
		}
		expect(judge(account({ rows, bankMode: { numCredits: 3 } })).verdict).toBe(NOT);
	});

	it('are not held against rows whose amount cannot be read', () => {
		const rows = [row('n/a'), row(112.75), row(-12.5)];
		const bankMode = { ...right, totalDebits: '-20.00', numDebits: 2 };
		expect(judge(account({ rows, bankMode })).verdict).toBe(NOTHING);
	});

	it('note an unreadable total', () => {
		const { verdictNote } = judge(account({ bankMode: { totalCredits: 'n/a' } }));
		expect(verdictNote).toMatch(/totalCredits "n\/a" cannot be read/);
	});
});

describe('several periods', () => {
	const january = { startDate: '2024-01-01', endDate: '2024-01-31' };
	const february = { startDate: '2024-02-01', endDate: '2024-02-29' };
	const rows = [row(10, { date: '20240110000000' }), row(-4, { date: '20240210000000' })];
	const metadata = (first: Record<string, unknown>, second: Record<string, unknown>): unknown[] => [
		...entries({ ...january, ...first }, '0'),
		...entries({ ...february, ...second }, '1'),
	];

	it('are judged each by itself and as a whole', () => {
		const facts = metadata(
			{ startBalance: '0.00', endBalance: '10.00' },
			{ startBalance: '10.00', endBalance: '6.00' },
		);
		const { verdict, difference, periods } = judge(account({ rows, metadata: facts }));
		expect([verdict, difference]).toEqual([RECONCILED, '0.00']);
		expect(periods).toMatchObject([
			{ period: '0', verdict: RECONCILED, difference: '0.00', transactionCount: 1 },
			{ period: '1', verdict: RECONCILED, difference: '0.00', transactionCount: 1 },
		]);
	});

	it('name the one that is wrong, even where two errors cancel out', () => {
		const facts = metadata(
			{ startBalance: '0.00', endBalance: '11.00' },
			{ startBalance: '11.00', endBalance: '6.00' },
		);
		const { verdict, difference, verdictNote, periods } = judge(account({ rows, metadata: facts }));
		expect([verdict, difference]).toEqual([NOT, '0.00']);
		expect(verdictNote).toMatch(/period 0, 1/);
		expect(periods.map((one) => one.difference)).toEqual(['1.00', '-1.00']);
	});

	it('that do not follow one another are not reconciled', () => {
		const facts = metadata(
			{ startBalance: '0.00', endBalance: '10.00' },
			{ startBalance: '50.00', endBalance: '46.00' },
		);
		const { verdict, difference, verdictNote } = judge(account({ rows, metadata: facts }));
		expect([verdict, difference]).toEqual([NOT, '40.00']);
		expect(verdictNote).toMatch(/do not follow one another/);
	});

	it('may include one without a movement', () => {
		const facts = metadata(
			{ startBalance: '0.00', endBalance: '10.00', isReconciled: '1' },
			{ startBalance: '10.00', endBalance: '10.00', isReconciled: '0' },
		);
		const { verdict, periods } = judge(
			account({ rows: [row(10, { date: '20240110000000' })], metadata: facts }),
		);
		expect(verdict).toBe(RECONCILED);
		expect(periods[1]).toMatchObject({ verdict: NOTHING, transactionCount: 0 });
	});

	it('give the difference of those that can be checked where the whole cannot', () => {
		const facts = metadata({ startBalance: '0.00', endBalance: '12.00' }, {});
		const { verdict, difference } = judge(account({ rows, metadata: facts }));
		expect([verdict, difference]).toEqual([NOT, '2.00']);
	});

	it('are not reconciled where the service says so of one that cannot be checked', () => {
		const facts = metadata(
			{ startBalance: '0.00', isReconciled: '1' },
			{ endBalance: '6.00', isReconciled: '0' },
		);
		const { verdict, verdictNote } = judge(account({ rows, metadata: facts }));
		expect(verdict).toBe(NOT);
		expect(verdictNote).toMatch(/reports as not reconciled: period 1/);
	});

	it.each([
		['first start', '0', { startBalance: '1.00' }],
		['last end', '1', { endBalance: '7.00' }],
	])('cannot be checked as a whole where the %s balance is given twice', (_what, period, again) => {
		const facts = metadata(
			{ startBalance: '0.00', endBalance: '10.00' },
			{ startBalance: '10.00', endBalance: '6.00' },
		);
		const { verdict, difference } = judge(
			account({ rows, metadata: [...facts, ...entries(again, period)] }),
		);
		expect([verdict, difference]).toEqual([NOTHING, null]);
	});

	it('leave out rows whose period cannot be told, and say so', () => {
		const facts = metadata(
			{ startBalance: '0.00', endBalance: '10.00' },
			{ startBalance: '10.00', endBalance: '6.00' },
		);
		const lost = row(5, { date: 'soon' });
		const { verdict, verdictNote } = judge(account({ rows: [...rows, lost], metadata: facts }));
		expect(verdict).toBe(NOT);
		expect(verdictNote).toMatch(/1 row has no period/);
	});

	it('are taken by their index where one has no first day', () => {
		const facts = ['10', '2', '1'].flatMap((period) =>
			entries({ startBalance: `${period}.00`, endBalance: `${period}.00` }, period),
		);
		const dated = [...facts, ...entries({ startDate: '2024-01-01' }, '10')];
		const { periods } = judge(account({ rows: [], metadata: dated }));
		expect(periods.map(({ period }) => period)).toEqual(['1', '2', '10']);
	});

	it('stay in the order given where nothing tells it', () => {
		const facts = ['b', 'a', '1'].flatMap((period) => entries({ branch: 'x' }, period));
		const { periods } = judge(account({ metadata: facts }));
		expect(periods.map(({ period }) => period)).toEqual(['b', 'a', '1']);
	});

	it('are taken in the order of time', () => {
		const facts = [
			...entries({ ...february, startBalance: '10.00', endBalance: '6.00' }, '0'),
			...entries({ ...january, startBalance: '0.00', endBalance: '10.00' }, '1'),
		];
		const result = judge(account({ rows, metadata: facts }));
		expect(result).toMatchObject({ verdict: RECONCILED, startBalance: '0.00', endBalance: '6.00' });
	});
});

describe('any statement', () => {
	const cents = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n });
	const text = (units: bigint): string => {
		const digits = (units < 0n ? -units : units).toString().padStart(3, '0');
		return `${units < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
	};
	const word = fc.constantFrom(undefined, '1', '0');

	it('is reconciled exactly where integers of cents say so', () => {
		fc.assert(
			fc.property(
				cents,
				fc.array(cents, { maxLength: 30 }),
				fc.constantFrom(0n, 0n, 1n, -1n, 100_000n),
				word,
				(start, amounts, error, isReconciled) => {
					const end = amounts.reduce((sum, amount) => sum + amount, start) + error;
					const metadata = entries({
						startBalance: text(start),
						endBalance: text(end),
						...(isReconciled === undefined ? {} : { isReconciled }),
					});
					const result = judge(
						account({ rows: amounts.map((amount) => row(text(amount))), metadata }),
					);
					const idle = amounts.length === 0 && error === 0n;
					const right = error === 0n && isReconciled !== '0';
					expect(result.verdict).toBe(idle ? NOTHING : right ? RECONCILED : NOT);
					expect(result.difference).toBe(idle ? null : text(error));
				},
			),
		);
	});

	it('is not reconciled once a row is dropped', () => {
		fc.assert(
			fc.property(fc.array(cents, { minLength: 1, maxLength: 20 }), fc.nat(), (amounts, at) => {
				const dropped = at % amounts.length;
				fc.pre(amounts[dropped] !== 0n);
				const end = amounts.reduce((sum, amount) => sum + amount, 0n);
				const metadata = entries({
					startBalance: '0.00',
					endBalance: text(end),
					isReconciled: '1',
				});
				const rows = amounts.filter((_, index) => index !== dropped).map((a) => row(text(a)));
				const { verdict, difference } = judge(account({ rows, metadata }));
				expect([verdict, difference]).toEqual([NOT, text(amounts[dropped] ?? 0n)]);
			}),
		);
	});
});
