/** Amounts are whole minor units (cents) in a BigInt; they become text only when they are printed. */

export interface NumberStyle {
	/** Between groups of digits; empty for none. */
	thousands: string;
	decimal: string;
	/** `lakh` groups as 12,34,567.00. */
	grouping?: 'thousand' | 'lakh';
}

export const pointStyle: NumberStyle = { thousands: ',', decimal: '.' };
export const commaStyle: NumberStyle = { thousands: '.', decimal: ',' };
export const spaceStyle: NumberStyle = { thousands: ' ', decimal: ',' };
export const lakhStyle: NumberStyle = { thousands: ',', decimal: '.', grouping: 'lakh' };

export function absolute(minor: bigint): bigint {
	return minor < 0n ? -minor : minor;
}

export function sum(amounts: readonly bigint[]): bigint {
	return amounts.reduce((total, amount) => total + amount, 0n);
}

/** `-123456n` is `-1234.56`: the form of amounts in the truth. */
export function decimalText(minor: bigint): string {
	const digits = absolute(minor).toString().padStart(3, '0');
	const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
	return minor < 0n ? `-${text}` : text;
}

/** The reverse of `decimalText`; throws on anything but an optional minus, digits and two decimals. */
export function minorUnits(text: string): bigint {
	const match = /^(-?)(\d+)\.(\d\d)$/.exec(text);
	if (!match) {
		throw new Error(`"${text}" is no amount. Write it as -1234.56, with two decimals.`);
	}
	const minor = BigInt(`${match[2]}${match[3]}`);
	return match[1] === '-' ? -minor : minor;
}

/** Prints without a sign, as most columns do; the layout adds its own mark for negative amounts. */
export function printUnsigned(minor: bigint, style: NumberStyle): string {
	const digits = absolute(minor).toString().padStart(3, '0');
	const whole = digits.slice(0, -2);
	const grouped: string[] = [];
	let end = whole.length;
	let size = 3;
	while (end > 0) {
		grouped.unshift(whole.slice(Math.max(0, end - size), end));
		end -= size;
		if (style.grouping === 'lakh') size = 2;
	}
	return `${grouped.join(style.thousands)}${style.decimal}${digits.slice(-2)}`;
}

/** Prints with a leading minus when negative. */
export function printSigned(minor: bigint, style: NumberStyle): string {
	return minor < 0n ? `-${printUnsigned(minor, style)}` : printUnsigned(minor, style);
}
