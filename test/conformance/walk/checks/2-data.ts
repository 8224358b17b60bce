import { at, has, is, isError, isObject, shown, status, want } from '../expect.ts';
import type { Kind } from '../expect.ts';
import type { Answer } from '../http.ts';
import { isCredit, sameAmount, solid, total } from '../documents.ts';
import type {
	GeneratedStatement,
	TruthAccount,
	TruthTransaction,
} from '../../../documents/index.ts';
import type { Job, Scene } from '../scene.ts';
import type { Check, Checks } from './check.ts';

/** Data in the grouped shape, with what is printed in the file. */
interface Grouped {
	/** Where it was seen. */
	where: string;
	data: unknown;
	documentId: string | number;
	truth: GeneratedStatement['truth'];
}

/** One account of it. */
interface Account extends Grouped {
	value: unknown;
	expected: TruthAccount;
}

type Pair = [row: Record<string, unknown>, truth: TruthTransaction];

/** The same data from everywhere where the interface promises it. */
const everywhere = (scene: Scene): Promise<Grouped[]> =>
	scene.once('grouped data', async () => {
		const { truth } = await scene.statement();
		const job = await scene.bankJob();
		const { documentId } = job;
		const exported = await scene.exported();
		const byJob = await scene.grouped(job);
		const byDocument = await scene.main.agent('GET', `/documents/${documentId}/data`);
		want(byDocument.isOk, `${byDocument.name} answered ${byDocument.status}: ${byDocument.start}`);
		return [
			{ where: 'the export', data: exported.json, documentId, truth },
			{ where: 'the data of the job', data: byJob.json, documentId, truth },
			{ where: 'the data of the document', data: byDocument.json, documentId, truth },
		];
	});

/** The keys of a document's accounts. */
function accountKeys(grouped: Grouped): string[] {
	const document = at(grouped.data, String(grouped.documentId));
	want(
		isObject(document),
		`${grouped.where} has no member ${grouped.documentId}, its members are ${shown(
			isObject(grouped.data) ? Object.keys(grouped.data) : grouped.data,
		)}`,
	);
	return Object.keys(document).filter((name) => isObject(document[name]));
}

const normal = (account: string): string => account.replaceAll(/[\s.-]/g, '');

function accountOf(grouped: Grouped, expected: TruthAccount): Account {
	const keys = accountKeys(grouped);
	const key = keys.find((name) => normal(name) === normal(expected.account));
	want(
		key !== undefined,
		`${grouped.where} has the accounts ${shown(keys)}, not ${expected.account}`,
	);
	return { ...grouped, expected, value: at(grouped.data, String(grouped.documentId), key) };
}

function onlyAccount(grouped: Grouped): Account {
	const [expected] = grouped.truth.accounts;
	if (expected === undefined) throw new Error('The statement has no account.');
	return accountOf(grouped, expected);
}

/** Every row of an account beside the printed one that it is most like. */
function pairs(account: Account): Pair[] {
	const rows = at(account.value, 'bankMode', 'transactions');
	const { transactions } = account.expected;
	want(Array.isArray(rows), `${account.where} has no transactions`);
	want(
		rows.length === transactions.length && rows.every(isObject),
		`${account.where} has ${rows.length} transactions, ${transactions.length} are printed`,
	);
	const left = new Set(rows.filter(isObject));
	return transactions.map((truth): Pair => {
		const [best] = [...left].toSorted(
			(one, other) => likeness(other, truth) - likeness(one, truth),
		);
		if (best === undefined) throw new Error('A row was taken twice.');
		left.delete(best);
		return [best, truth];
	});
}

function likeness(row: Record<string, unknown>, truth: TruthTransaction): number {
	const text = solid(String(row['memo'])) + solid(JSON.stringify(row['descriptionLines'] ?? ''));
	const facts = [
		String(row['date']).startsWith(truth.date.replaceAll('-', '')),
		sameAmount(String(row['amount']), truth.amount),
		truth.descriptionLines.every((line) => text.includes(solid(line))),
		truth.balance !== null && sameAmount(String(row['balance']), truth.balance),
	];
	return facts.filter(Boolean).length;
}

/** Looks at an account; throws where it is not as the row states. */
type LookAt = (account: Account) => string;

/** A field of every transaction: its type, and whether it fits what is printed. */
function field(
	name: string,
	kind: Kind,
	fits: (value: unknown, truth: TruthTransaction, row: Record<string, unknown>) => boolean,
	states: string,
): LookAt {
	return (account) => {
		for (const [row, truth] of pairs(account)) {
			has(row, name, kind, `a transaction of ${account.where}`);
			const value = row[name];
			want(
				fits(value, truth, row),
				`${name} is ${shown(value)} in ${account.where}, not ${states}: printed is ` +
					`${truth.date} ${truth.amount} ${shown(truth.descriptionLines.join(' '))}`,
			);
		}
		return `${name} of ${account.expected.transactions.length} rows is ${states}`;
	};
}

const allLines = (truth: TruthTransaction): string[] =>
	truth.descriptionLines.map(solid).filter((line) => line !== '');

const metadataEntries = (account: Account): Record<string, unknown>[] => {
	const entries = at(account.value, 'metadata');
	want(
		Array.isArray(entries) && entries.every(isObject),
		`metadata of an account is ${shown(entries)} in ${account.where}`,
	);
	return entries;
};

function metadataValue(account: Account, name: string, period: string): unknown {
	const entry = metadataEntries(account).find(
		(candidate) => candidate['name'] === name && candidate['period'] === period,
	);
	want(entry !== undefined, `${account.where} has no metadata ${name} of period ${period}`);
	return entry['value'];
}

function balance(name: 'startBalance' | 'endBalance'): LookAt {
	return (account) => {
		for (const period of account.expected.periods) {
			const value = metadataValue(account, name, period.period);
			want(
				typeof value === 'string' && sameAmount(value, String(period[name])),
				`${name} is ${shown(value)} in ${account.where}, printed is ${period[name]}`,
			);
		}
		return `${name} is as printed`;
	};
}

function metadataDate(name: 'startDate' | 'endDate'): LookAt {
	return (account) => {
		for (const period of account.expected.periods) {
			const value = metadataValue(account, name, period.period);
			want(
				value === period[name],
				`${name} is ${shown(value)} in ${account.where}, not ${period[name]}`,
			);
		}
		return `${name} is as printed, YYYY-MM-DD`;
	};
}

/** The total of a side: a string with the exact sum. */
function totalOf(name: 'totalCredits' | 'totalDebits', credits: boolean): LookAt {
	return (account) => {
		has(account.value, `bankMode.${name}`, 'string', account.where);
		const value = String(at(account.value, 'bankMode', name));
		const expected = total(
			account.expected.transactions
				.filter((row) => isCredit(row) === credits)
				.map(({ amount }) => amount),
		);
		want(
			sameAmount(value, expected),
			`${name} is ${shown(value)} in ${account.where}, the sum is ${expected}`,
		);
		return `${name} is ${shown(value)}, the exact sum`;
	};
}

function countOf(name: 'numCredits' | 'numDebits', credits: boolean): LookAt {
	return (account) => {
		const seen = has(account.value, `bankMode.${name}`, 'integer', account.where);
		const expected = account.expected.transactions.filter((row) => isCredit(row) === credits);
		want(
			at(account.value, 'bankMode', name) === expected.length,
			`${seen} in ${account.where}, not ${expected.length}`,
		);
		return seen;
	};
}

/** The rows of section 2.8 that one account of a statement shows. */
export const accountRows = {
	'keyed by': (account) => {
		has(account.value, 'bankMode', 'object', account.where);
		return `keyed by ${account.documentId}, ${account.expected.account}, bankMode`;
	},
	transactions: (account) => {
		const { length } = pairs(account);
		return `${length} transactions, as printed`;
	},
	totalCredits: totalOf('totalCredits', true),
	totalDebits: totalOf('totalDebits', false),
	numCredits: countOf('numCredits', true),
	numDebits: countOf('numDebits', false),
	'[account].metadata': (account) => `${metadataEntries(account).length} entries`,
	'[documentId].metadata': (account) => {
		const entries = at(account.data, String(account.documentId), 'metadata');
		want(Array.isArray(entries), `metadata of the document is ${shown(entries)}`);
		return `an array of ${entries.length}`;
	},
	'transaction.date': field(
		'date',
		'string',
		(value, truth) =>
			/^\d{14}$/.test(String(value)) && String(value).startsWith(truth.date.replaceAll('-', '')),
		'YYYYMMDDHHMMSS of the printed day',
	),
	'transaction.amount': field(
		'amount',
		'number',
		(value, truth) => sameAmount(String(value), truth.amount),
		'as printed, debits negative',
	),
	'transaction.memo': field(
		'memo',
		'string',
		(value, truth) => allLines(truth).every((line) => solid(String(value)).includes(line)),
		'the printed line',
	),
	'transaction.name': field('name', 'string', (value) => value !== '', 'a label'),
	'transaction.payee': field('payee', 'string', () => true, 'a string'),
	'transaction.checkNumber': field(
		'checkNumber',
		'string',
		(value, truth) => value === truth.checkNumber,
		'as printed, empty where there is none',
	),
	'transaction.balance': field(
		'balance',
		'number or null',
		(value, truth) =>
			truth.balance === null ? value === null : sameAmount(String(value), truth.balance),
		'as printed on the line',
	),
	'transaction.category': field('category', 'string', () => true, 'a string'),
	'transaction.descriptionLines': field(
		'descriptionLines',
		'array of string',
		(value, truth) =>
			allLines(truth).every((line) => solid((value as string[]).join('')).includes(line)),
		'the printed lines',
	),
	'transaction.pageNumber': field(
		'pageNumber',
		'integer',
		(value, truth) => value === truth.pageNumber,
		'the page of the row',
	),
	'metadata entry': (account) => {
		const entries = metadataEntries(account);
		want(entries.length > 0, `${account.where} has no metadata of the account`);
		for (const entry of entries) {
			for (const name of ['name', 'value', 'period']) has(entry, name, 'string', 'an entry');
		}
		return `${entries.length} entries with name, value and period`;
	},
	'metadata startBalance': balance('startBalance'),
	'metadata endBalance': balance('endBalance'),
	'metadata startDate': metadataDate('startDate'),
	'metadata endDate': metadataDate('endDate'),
} satisfies Record<string, LookAt>;

/**
 * Everything that section 2.8 states about the statement's only account, looked at in these data.
 *
 * @throws Unmet for the first row that is not so
 */
export function lookAtAll(grouped: Grouped): string {
	const account = onlyAccount(grouped);
	for (const look of Object.values(accountRows)) look(account);
	return `${account.expected.transactions.length} transactions and all fields of 2.8`;
}

function inAll(name: keyof typeof accountRows): Check {
	return async (scene) => {
		let seen = '';
		for (const grouped of await everywhere(scene)) seen = accountRows[name](onlyAccount(grouped));
		return seen;
	};
}

const exportOf = async (scene: Scene, job: Job, json: Record<string, unknown>): Promise<Answer> =>
	await scene.main.legacy('POST', `/job/${job.jobId}/export`, { json });

/** Section 2.7: what an export may be asked. */
export const exportRequest: Checks<'2.7'> = {
	jobType: async (scene) => {
		const job = await scene.bankJob();
		const without = await exportOf(scene, job, { flattenTables: false });
		const seen = isError(without, 400, 'without jobType');
		const other = await exportOf(scene, job, { jobType: 'NoSuchKind', flattenTables: false });
		isError(other, 400, 'with an unknown jobType');
		return `${status(await scene.exported(), 200)} with FieldsToExcel1; ${seen}`;
	},
	'jobType Invoice': async (scene) => {
		const job = await scene.invoiceJob();
		const answer = await exportOf(scene, job, { jobType: 'Invoice', flattenTables: false });
		status(answer, 200);
		return keyedBy(answer.json, job, 'the export');
	},
	'jobType Form': async (scene) => {
		const job = await scene.formJob();
		const answer = await exportOf(scene, job, { jobType: 'Form', flattenTables: false });
		status(answer, 200);
		return keyedBy(answer.json, job, 'the export');
	},
	flattenTables: async (scene) => {
		const job = await scene.bankJob();
		const without = await exportOf(scene, job, { jobType: 'FieldsToExcel1' });
		const seen = isError(without, 400, 'without flattenTables');
		for (const flattenTables of [true, false]) {
			const answer = await exportOf(scene, job, { jobType: 'FieldsToExcel1', flattenTables });
			status(answer, 200);
			want(answer.json !== undefined, `with ${flattenTables} the export is no JSON`);
		}
		return `200 with true and false; ${seen}`;
	},
	format: async (scene) => {
		const job = await scene.bankJob();
		const base = { jobType: 'FieldsToExcel1', flattenTables: false };
		const json = await exportOf(scene, job, { ...base, format: 'json' });
		status(json, 200);
		want(isObject(json.json), 'with json the export is no JSON object');
		const csv = await exportOf(scene, job, { ...base, format: 'csv' });
		status(csv, 200);
		const other = await exportOf(scene, job, { ...base, format: 'no-such-format' });
		return `200 for json and csv; ${isError(other, 400, 'for another format')}`;
	},
	selectedFieldNames: async (scene) => {
		const job = await scene.bankJob();
		const answer = await exportOf(scene, job, {
			jobType: 'FieldsToExcel1',
			flattenTables: false,
			selectedFieldNames: ['bankMode'],
		});
		status(answer, 200);
		const { truth } = await scene.statement();
		const { documentId } = job;
		const where = 'the export with bankMode selected';
		return accountRows.transactions(onlyAccount({ where, data: answer.json, documentId, truth }));
	},
	documentIds: async (scene) => {
		const { documentId, jobId } = await scene.once('job of two documents', async () => {
			const { pdf } = await scene.statement();
			const first = await scene.main.upload(pdf);
			const documentId = await scene.main.upload(pdf);
			const jobId = await scene.main.createJob([first, documentId]);
			const ended = await scene.main.ended(jobId);
			return { documentId, jobId, ended };
		});
		const answer = await scene.main.legacy('POST', `/job/${jobId}/export`, {
			json: { jobType: 'FieldsToExcel1', flattenTables: false, documentIds: [documentId] },
		});
		status(answer, 200);
		const keys = isObject(answer.json) ? Object.keys(answer.json) : [];
		want(
			keys.length === 1 && keys[0] === String(documentId),
			`of two documents ${documentId} was asked for, the export holds ${shown(keys)}`,
		);
		return 'one of two documents was asked for and came alone';
	},
};

/** Section 2.8. */
export const extractedData: Checks<'2.8'> = {
	'keyed by': inAll('keyed by'),
	transactions: inAll('transactions'),
	totalCredits: inAll('totalCredits'),
	totalDebits: inAll('totalDebits'),
	numCredits: inAll('numCredits'),
	numDebits: inAll('numDebits'),
	'[account].metadata': inAll('[account].metadata'),
	'[documentId].metadata': inAll('[documentId].metadata'),
	'several accounts': async (scene) => {
		const job = await scene.accountsJob();
		const { truth } = await scene.accountsStatement();
		const { json: data } = await scene.grouped(job);
		const where = 'the data of several accounts';
		for (const expected of truth.accounts) {
			const account = accountOf({ where, data, documentId: job.documentId, truth }, expected);
			accountRows.transactions(account);
		}
		return `${truth.accounts.length} accounts below one document`;
	},
	'transaction.date': inAll('transaction.date'),
	'transaction.amount': inAll('transaction.amount'),
	'transaction.memo': inAll('transaction.memo'),
	'transaction.name': inAll('transaction.name'),
	'transaction.payee': inAll('transaction.payee'),
	'transaction.checkNumber': inAll('transaction.checkNumber'),
	'transaction.balance': inAll('transaction.balance'),
	'transaction.category': inAll('transaction.category'),
	'transaction.fitId': async (scene) => {
		const fitIds = ({ value, where }: Account): string[] => {
			const rows = at(value, 'bankMode', 'transactions');
			const ids = Array.isArray(rows) ? rows.map((row) => at(row, 'fitId')) : [];
			want(
				ids.every((id) => typeof id === 'string' && id !== ''),
				`a transaction of ${where} has no fitId`,
			);
			want(new Set(ids).size === ids.length, `rows of ${where} share a fitId`);
			return ids as string[];
		};
		const found = (await everywhere(scene)).map((grouped) => fitIds(onlyAccount(grouped)));
		const [first = []] = found;
		const twice: string[][] = [];
		// A document of its own, extracted twice: others read theirs meanwhile.
		const { pdf, truth } = await scene.statement();
		const documentId = await scene.main.upload(pdf);
		for (const where of ['a first extraction', 'a second extraction']) {
			const jobId = await scene.main.createJob([documentId]);
			const ended = await scene.main.ended(jobId);
			const { json } = await scene.grouped({ documentId, jobId, ended });
			twice.push(fitIds(onlyAccount({ where, data: json, documentId, truth })));
		}
		for (const readings of [found, twice]) {
			const different = new Set(readings.map((ids) => ids.toSorted().join()));
			want(different.size === 1, 'the same line has another fitId in another reading');
		}
		return `${first.length} different ones, the same in a second extraction`;
	},
	'transaction.descriptionLines': inAll('transaction.descriptionLines'),
	'transaction.pageNumber': inAll('transaction.pageNumber'),
	'transaction.metadata': async (scene) => {
		const [row] = await checkRows(scene);
		return has(row, 'metadata', 'object', 'a check transaction');
	},
	'metadata entry': inAll('metadata entry'),
	'metadata startBalance': inAll('metadata startBalance'),
	'metadata endBalance': inAll('metadata endBalance'),
	'metadata startDate': inAll('metadata startDate'),
	'metadata endDate': inAll('metadata endDate'),
	'metadata isReconciled': async (scene) => {
		for (const grouped of await everywhere(scene)) {
			const value = metadataValue(onlyAccount(grouped), 'isReconciled', '0');
			want(value === '1', `isReconciled of a statement that adds up is ${shown(value)}`);
		}
		const job = await scene.unreconciledJob();
		const { json } = await scene.grouped(job);
		const document = at(json, String(job.documentId));
		want(isObject(document), 'the second statement has no data');
		const values = Object.values(document)
			.flatMap((account) => at(account, 'metadata') ?? [])
			.filter((entry) => at(entry, 'name') === 'isReconciled')
			.map((entry) => at(entry, 'value'));
		want(
			!values.includes('1'),
			'isReconciled is 1 for a statement whose end balance is off by 12.34',
		);
		const periods = await scene.periodsJob();
		const { truth } = await scene.periodsStatement();
		const data = (await scene.grouped(periods)).json;
		for (const expected of truth.accounts) {
			const where = 'a statement of several periods';
			const account = accountOf({ where, data, documentId: periods.documentId, truth }, expected);
			for (const { period } of expected.periods) metadataValue(account, 'isReconciled', period);
		}
		return `1 where it adds up, ${shown(values)} where not; one entry a period`;
	},
	checks: async (scene) => {
		const rows = await checkRows(scene);
		want(rows.length === 1, `${rows.length} transactions for one check`);
		return 'one transaction below the key checks';
	},
	'check.confidence': inCheck('confidence', 'number'),
	'check.extractor': inCheck('extractor', 'string'),
	'check.amountText': inCheck('amountText', 'string'),
	'check.legalAmountNumeric': inCheck('legalAmountNumeric', 'number', (value) => value === 125.5),
	'check.routingNumber': inCheck('routingNumber', 'string', (value) => value === '021000021'),
	'check.bank': inCheck('bank', 'string'),
	'check.isCheckConsistent': inCheck('isCheckConsistent', 'boolean', (value) => value === true),
	'check.isMicrValid': inCheck('isMicrValid', 'boolean', (value) => value === true),
	'check.docTypeGuess': inCheck('docTypeGuess', 'string', (value) => value === 'check'),
	'check.handwrittenFields': inCheck('handwrittenFields', 'array of string'),
	'check.payee': inCheck('payee', 'string'),
	'check.checkMemo': inCheck('checkMemo', 'string'),
	invoice: async (scene) => {
		const job = await scene.invoiceJob();
		return keyedBy((await scene.grouped(job)).json, job, 'the data of the job');
	},
	'form.rowNumber': async (scene) => inForm(scene, 'rowNumber', 'integer'),
	'form.pageNumber': async (scene) => inForm(scene, 'pageNumber', 'integer'),
	'form.form': async (scene) => {
		const items = await formItems(scene);
		for (const item of items) {
			const form = at(item, 'form');
			want(
				isObject(form) && Object.values(form).every((value) => is(value, 'string')),
				`form of an item is ${shown(form)}`,
			);
		}
		return `${items.length} items with labels and texts`;
	},
};

async function checkRows(scene: Scene): Promise<unknown[]> {
	const job = await scene.checkJob();
	const { json } = await scene.grouped(job);
	const rows = at(json, String(job.documentId), 'checks', 'bankMode', 'transactions');
	want(Array.isArray(rows) && rows.length > 0, 'the data have no transactions below checks');
	return rows;
}

function inCheck(name: string, kind: Kind, fits?: (value: unknown) => boolean): Check {
	return async (scene) => {
		const rows = await checkRows(scene);
		const metadata = at(rows[0], 'metadata');
		const seen = has(metadata, name, kind, 'the metadata of the check');
		want(fits === undefined || fits(at(metadata, name)), `${seen}, which is not what is written`);
		return seen;
	};
}

function keyedBy(data: unknown, job: Job, where: string): string {
	const keys = isObject(data) ? Object.keys(data) : [];
	want(keys.includes(String(job.documentId)), `${where} is not keyed by ${job.documentId}`);
	return `keyed by ${job.documentId}`;
}

/** The items of a tax form, as the export of the legacy surface gives them. */
async function formItems(scene: Scene): Promise<unknown[]> {
	const job = await scene.formJob();
	const answer = await exportOf(scene, job, { jobType: 'Form', flattenTables: false });
	status(answer, 200);
	const items = answer.member(String(job.documentId));
	want(Array.isArray(items) && items.length > 0, `the document's value is ${shown(items)}`);
	return items;
}

async function inForm(scene: Scene, name: string, kind: Kind): Promise<string> {
	const items = await formItems(scene);
	for (const item of items) has(item, name, kind, 'an item');
	return `${name} of ${items.length} items`;
}
