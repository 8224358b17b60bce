import { parseArgs } from 'node:util';
import { LocalStage } from './localStage.ts';
import type { Stage } from './stage.ts';

/** A call that cannot work. The message says what to change. */
export class UsageError extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'UsageError';
	}
}

export interface OpenedStage {
	stage: Stage;
	/** Beginnings of row ids; none for all. */
	only: string[];
	/** Ends what was started for the walk. */
	end(): Promise<void>;
}

const USAGE = `Usage: npm run conformance -- [--base-url URL --token PAT --jwt JWT] [further]

Without --base-url the local service is started and walked.

  --base-url URL       root of the interface; ends with /api/v1   CONFORMANCE_BASE_URL
  --token PAT          access token of the agent surface          CONFORMANCE_TOKEN
  --jwt JWT            token of the legacy surface                CONFORMANCE_JWT
  --receiver-url URL   address that leads to the receiver here    CONFORMANCE_RECEIVER_URL
  --port NUMBER        port that the receiver listens on          CONFORMANCE_PORT
  --patience SECONDS   how long a job or delivery may take (180)
  --only ROW           beginning of row ids, such as 4.1; may be given several times

Credentials are better given by the environment: arguments show in the list of processes.`;

/** Quiet after the third attempt of another service: its pauses are not shown. */
const REMOTE_QUIET_MS = 60_000;
const REMOTE_POLL_MS = 2000;

/**
 * What to walk: another service where an address is given, otherwise the local one, which is started.
 *
 * @throws UsageError
 */
export async function openStage(
	args: string[],
	environment: Record<string, string | undefined>,
): Promise<OpenedStage> {
	const values = readArguments(args);
	if (values.help === true) throw new UsageError(USAGE);
	const given = (argument: string | undefined, variable: string): string | undefined => {
		const text = (argument ?? environment[variable])?.trim();
		return text === '' ? undefined : text;
	};
	const baseUrl = given(values['base-url'], 'CONFORMANCE_BASE_URL');
	const token = given(values.token, 'CONFORMANCE_TOKEN');
	const jwt = given(values.jwt, 'CONFORMANCE_JWT');
	const receiverUrl = given(values['receiver-url'], 'CONFORMANCE_RECEIVER_URL');
	const port = wholeNumber(given(values.port, 'CONFORMANCE_PORT') ?? '0', '--port', 0, 65_535);
	const only = values.only ?? [];

	if (baseUrl === undefined) {
		if (token !== undefined || jwt !== undefined) {
			throw new UsageError('Credentials were given, but no --base-url of the service to walk.');
		}
		const local = await LocalStage.start();
		local.stage.receiver.port = port;
		return { stage: local.stage, only, end: () => local.end() };
	}
	for (const [name, text] of [
		['--base-url', baseUrl],
		['--receiver-url', receiverUrl],
	] as const) {
		if (text !== undefined && (!/^https?:\/\//.test(text) || !URL.canParse(text))) {
			throw new UsageError(`${name} must be an address such as https://example.com/api/v1.`);
		}
	}
	if (token === undefined || jwt === undefined) {
		throw new UsageError(
			'A service at --base-url needs both credentials: --token (or CONFORMANCE_TOKEN) and --jwt ' +
				'(or CONFORMANCE_JWT).',
		);
	}
	const patience = wholeNumber(values.patience ?? '180', '--patience', 1, 86_400);
	return {
		stage: {
			access: { baseUrl: baseUrl.replace(/\/+$/, ''), token, jwt },
			isLocal: false,
			pollFromMs: REMOTE_POLL_MS,
			patienceMs: patience * 1000,
			deliveryMs: patience * 1000,
			quietMs: REMOTE_QUIET_MS,
			receiver: { port, publicUrl: receiverUrl ?? null },
		},
		only,
		end: async () => undefined,
	};
}

function readArguments(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				'base-url': { type: 'string' },
				token: { type: 'string' },
				jwt: { type: 'string' },
				'receiver-url': { type: 'string' },
				port: { type: 'string' },
				patience: { type: 'string' },
				only: { type: 'string', multiple: true },
				help: { type: 'boolean' },
			},
		}).values;
	} catch (error) {
		throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
	}
}

function wholeNumber(text: string, name: string, least: number, most: number): number {
	const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
	if (value >= least && value <= most) return value;
	throw new UsageError(`${name} must be a whole number from ${least} to ${most}.`);
}
