import { saveServiceCredentials } from '../n8n/credentialSetup.ts';
import { ensureInstalled } from '../n8n/installation.ts';
import { N8nClient } from '../n8n/n8nClient.ts';
import { startN8n } from '../n8n/n8nServer.ts';
import { ensurePackageInstalled } from '../n8n/nodePackage.ts';
import { requireNode } from '../n8n/nodeRuntime.ts';
import { ownerAccount } from '../n8n/ownerAccount.ts';
import { ProgressLine } from '../n8n/progressLine.ts';
import { PlainError } from '../processes/plainError.ts';
import { ProcessSupervisor } from '../processes/processSupervisor.ts';
import { starterGone } from '../processes/starterGone.ts';
import { stopRequest } from '../processes/stopRequest.ts';
import { startService } from '../service/serviceServer.ts';
import { runFirstImport, writeExampleStatements } from './firstImport.ts';
import { loadExamples } from './loadExamples.ts';
import { rowsTable, verdictLines } from './rowsTable.ts';
import { readSettings } from './settings.ts';
import { welcome } from './welcome.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

// A terminal that is closed takes its output along; stopping has to go on without it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** Brings everything up, imports one statement and prints what came out. */
const start = async (supervisor: ProcessSupervisor): Promise<void> => {
	const startedAt = Date.now();
	requireNode();
	const settings = await readSettings();
	const { folders } = settings;

	await ensureInstalled(supervisor, { note: say, progress: new ProgressLine() });

	say('Starting the service and n8n …');
	const owner = await ownerAccount(folders.ownerFile);
	const [service, editor] = await Promise.all([
		startService(supervisor, {
			port: settings.servicePort,
			host: settings.serviceHost,
			dataFolder: settings.dataFolder,
			logFile: settings.serviceLogFile,
		}),
		(async () => {
			if (await ensurePackageInstalled(supervisor, folders.userFolder)) {
				say('The package is built and installed in n8n.');
			}
			const { port, brokerPort } = { port: settings.n8nPort, brokerPort: settings.brokerPort };
			return await startN8n(supervisor, { ...folders, port, brokerPort, owner }, folders.logFile);
		})(),
		writeExampleStatements(folders.filesFolder),
	]);

	const n8n = new N8nClient(editor.address);
	await n8n.signIn(owner);
	await saveServiceCredentials(n8n, service.credentials);
	const workflow = await loadExamples(n8n, folders.filesFolder);

	say(`Importing a generated statement through n8n: "${workflow.name}" …`);
	const result = await runFirstImport(n8n, workflow);
	if ('failure' in result) {
		say(`\nThe import did not go through: ${result.failure}`);
		say(`Open the workflow in n8n to see where it stopped.\n`);
	} else {
		say(`\n${rowsTable(result.rows, process.stdout.columns)}`);
		say(`${result.rows.length} transactions. ${verdictLines(result.accounts)}\n`);
	}
	say(
		welcome({
			editor: editor.address,
			serviceBaseUrl: service.credentials.baseUrl,
			owner,
			workflowId: workflow.id,
			dataFolder: settings.dataFolder,
			seconds: Math.round((Date.now() - startedAt) / 1000),
		}),
	);
};

const report = (error: unknown): void => {
	process.stderr.write(
		error instanceof PlainError
			? `\n${error.message}\n`
			: `\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
	);
};

const main = async (): Promise<void> => {
	const supervisor = new ProcessSupervisor();
	const stopped = Promise.race([
		stopRequest(() => {
			supervisor.killAll();
			process.exit(1);
		}),
		starterGone(),
	]);
	try {
		const up = start(supervisor);
		up.catch(() => {});
		const first = await Promise.race([up, supervisor.failed, stopped]);
		const reason = first ?? (await Promise.race([supervisor.failed, stopped]));
		say(`\nStopping (${reason}) …`);
	} catch (error) {
		report(error);
		process.exitCode = 1;
	}
	if (supervisor.hasProcesses) {
		await supervisor.stopAll();
		say('Stopped.');
	}
	// A request that is still under way must not keep the terminal.
	process.exit();
};

void main();
