import { generateStatement } from '../documents/index.ts';
import { inlineFile, runNode } from './engine';
import { shortenPauses } from './fastClock';
import { LocalService } from './localService';

jest.setTimeout(120_000);

/** After six polls of a job the next one is due ten seconds later. */
const POLLS = 6;

let service: LocalService;
let pauses: number[];

beforeAll(async () => {
	service = await LocalService.start({ JOB_POLLS_PER_MINUTE: String(POLLS) });
	// Not shortened: the service keeps to the real time.
	pauses = shortenPauses(1);
});

beforeEach(() => {
	pauses.length = 0;
});

afterAll(async () => {
	await service.stop();
});

const credentials = () => ({
	documentExtractionApi: { baseUrl: service.baseUrl, accessToken: service.accessToken },
});

async function statement() {
	const { pdf } = await generateStatement('usChecking', { seed: 41, transactions: 4 });
	return {
		json: {},
		binary: { data: inlineFile(pdf, 'statement.pdf', 'application/pdf') },
	};
}

/** Asks for a job without any pause, until the service has had enough of it. */
async function useUp(jobId: number): Promise<void> {
	const until = Date.now() + 60_000;
	for (;;) {
		const { status } = await fetch(`${service.baseUrl}/agent/jobs/${jobId}`, {
			headers: { authorization: `Bearer ${service.accessToken}` },
		});
		if (status === 429) return;
		if (Date.now() > until) throw new Error(`Job ${jobId} was answered ${status} to the end.`);
		await new Promise((done) => setTimeout(done, 20));
	}
}

/** A pause of whole seconds, longer than any that the node makes of itself so early. */
const pausesAskedFor = () => pauses.filter((ms) => ms >= 4_000 && ms % 1_000 === 0);

it('Extract waits as long as the service asks, and gives the rows', async () => {
	const running = runNode({
		parameters: { resource: 'document', operation: 'extract' },
		items: [await statement()],
		credentials: credentials(),
	});
	// The first job of a new service; until it is there it is not found.
	await useUp(1);
	const result = await running;
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(4);
	expect(pausesAskedFor()).toHaveLength(1);
});

it('Job: Wait does so too, with either credential', async () => {
	const waitFor = async (authentication: 'accessToken' | 'jwt') => {
		await useUp(1);
		pauses.length = 0;
		const result = await runNode({
			parameters: {
				authentication,
				resource: 'job',
				operation: 'wait',
				jobId: { __rl: true, mode: 'id', value: '1' },
			},
			items: [{ json: {} }],
			credentials: {
				...credentials(),
				documentExtractionJwtApi: { baseUrl: service.baseUrl, jwtToken: service.jwt },
			},
		});
		expect(result.error).toBeUndefined();
		expect(result.items[0]?.json).toMatchObject({ status: 'Succeeded' });
		expect(pausesAskedFor()).toHaveLength(1);
	};
	await waitFor('accessToken');
	await waitFor('jwt');
});
