import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { projectDocuments } from '../shared/projects/requests';
import { tokenAccessOf, type Access } from '../shared/transport/access';
import { operationFailure } from '../shared/transport/failures';
import { Memory } from '../shared/transport/memory';
import { readProject, type Emission } from './documents/readProject';
import { isSameProject } from './documents/sameService';
import { readState, writeState, type ProjectState, type TriggerState } from './documents/state';
import { documentItems } from './items';
import { settingsOf, type Settings } from './settings';
import { projectSource } from './source';
import { inTurn } from './turns';

/** Of the time that n8n gives a poll, the part after which nothing more is begun. */
const USED_PART = 0.6;
const USUAL_BUDGET_MS = 5 * 60_000;
const TEST_PAGE = 50;

/**
 * The last state of each node. n8n keeps static data under the name of the node, and does not save
 * what a poll without items has written; so this helps after a rename, and where the first poll
 * has only looked. It is never newer than what it is used for: static data always comes first.
 */
const lastStates = new Memory<string>(1_000);

/** The part of the remembered state that is about this project at this service. */
async function rememberedOf(
	this: IPollFunctions,
	access: Access,
	projectId: string,
	state: TriggerState | undefined,
): Promise<ProjectState | undefined> {
	const project = state?.projects[projectId];
	if (project === undefined || state?.service === access.baseUrl) return project;
	const limit = TEST_PAGE;
	const newest = await projectDocuments.call(this, access, projectId, { limit, attempts: 2 });
	return isSameProject(project, newest) ? project : undefined;
}

/** Without the times of arrival nobody can tell what belongs to the last days. */
async function assertTimes(this: IPollFunctions, access: Access, projectId: string): Promise<void> {
	const newest = await projectDocuments.call(this, access, projectId, { limit: 1, attempts: 2 });
	if (newest.every(({ arrivedAt }) => arrivedAt !== undefined)) return;
	throw operationFailure(this.getNode(), 'The service does not tell when documents arrived', {
		description: "Choose 'Documents From Now On' or 'Everything in the Project' in 'Start With'",
	});
}

function itemsOf(
	emissions: ReadonlyArray<Emission<unknown>>,
	{ output, projectId }: Settings,
): INodeExecutionData[] {
	return emissions.flatMap((emission) => documentItems(emission, { output, projectId }));
}

function logGivenUp(
	this: IPollFunctions,
	{ projectId }: Settings,
	givenUp: readonly string[],
): void {
	if (givenUp.length === 0) return;
	this.logger.warn(
		`Documents of the project ${projectId} never ended and are not waited for any longer: ${givenUp.join(', ')}. Extract them again at the service, or read them with Document: Get Data`,
	);
}

async function pollProject(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const now = Date.now();
	const settings = settingsOf.call(this, now);
	const { projectId, wanted, start, limit, output } = settings;
	const access = await tokenAccessOf.call(this);
	const staticData = this.getWorkflowStaticData('node');
	const key = `${this.getWorkflow().id ?? ''} ${this.getNode().id}`;
	const state = readState(staticData.state) ?? readState(lastStates.get(key));
	const remembered = await rememberedOf.call(this, access, projectId, state);
	if (remembered === undefined && start.kind === 'from') {
		await assertTimes.call(this, access, projectId);
	}
	const endsAt = now + USED_PART * (this.getPollBudgetMs?.() ?? USUAL_BUDGET_MS);
	const source = projectSource.call(this, access, { projectId, withData: output !== 'record' });
	const isOver = () => Date.now() > endsAt;
	const options = { wanted, start, limit, now, isOver };
	const result = await readProject(remembered, source, options);

	logGivenUp.call(this, settings, result.givenUp);
	const items = itemsOf(result.emissions, settings);
	const projects = { [projectId]: result.state };
	// Only here, after everything that can fail: what was put out and what is remembered go together.
	const text = writeState({ service: access.baseUrl, projects });
	if (staticData.state !== text) staticData.state = text;
	lastStates.set(key, text);
	if (items.length > 0) return [items];
	if (result.failure !== undefined) throw result.failure;
	return null;
}

/** The newest document that the trigger would put out, without remembering anything. */
async function showNewest(this: IPollFunctions): Promise<INodeExecutionData[][]> {
	const settings = settingsOf.call(this, Date.now());
	const { projectId, wanted, output } = settings;
	const access = await tokenAccessOf.call(this);
	const few = { limit: TEST_PAGE, attempts: 2 };
	const newest = await projectDocuments.call(this, access, projectId, few);
	const found = newest.find(({ state }) => wanted.new || (state !== 'unfinished' && wanted[state]));
	if (found === undefined) {
		throw operationFailure(
			this.getNode(),
			newest.length === 0
				? 'The project has no document yet'
				: "None of the newest documents is what 'Trigger On' asks for",
			{
				description:
					'Put a document into the project, wait until it has been extracted, and fetch the test event again',
			},
		);
	}
	const { state } = found;
	const event = state !== 'unfinished' && wanted[state] ? state : 'new';
	const withData = output !== 'record' && event === 'extracted';
	const source = projectSource.call(this, access, { projectId, withData });
	const reading = await source.data?.(found);
	if (reading?.kind === 'failure') throw reading.failure;
	const data = reading?.kind === 'found' ? { data: reading.value } : {};
	return [itemsOf([{ event, document: found, ...data }], settings)];
}

/** Looks at the project once. Null where nothing is due. Throws where the service cannot be asked. */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await showNewest.call(this);
	const key = `${this.getWorkflow().id ?? ''} ${this.getNode().id}`;
	return (await inTurn(key, async () => await pollProject.call(this))) ?? null;
}
