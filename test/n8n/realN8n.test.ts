import { after, before, describe } from 'node:test';
import { testAgentTool } from './agentTool.ts';
import { testCredentials } from './credentials.ts';
import { testEditor } from './editor.ts';
import { testExamples } from './examples.ts';
import { testErrorOutput } from './errorOutput.ts';
import { testNpmStart } from './npmStart.ts';
import { testPackage } from './package.ts';
import { testProjectTrigger } from './projectTrigger.ts';
import { startRealN8n, type RealN8n } from './realN8n.ts';
import { testStatements } from './statements.ts';
import { testTrigger } from './trigger.ts';

const startLimitMs = 15 * 60_000;

describe('the package in the real n8n', () => {
	let running: RealN8n | undefined;
	const current = (): RealN8n => {
		if (running === undefined) throw new Error('n8n is not running');
		return running;
	};

	before(
		async () => {
			running = await startRealN8n();
		},
		{ timeout: startLimitMs },
	);
	after(async () => await running?.stop());

	describe('package', () => testPackage(current));
	describe('credentials', () => testCredentials(current));
	describe('statements', () => testStatements(current));
	describe('examples', () => testExamples(current));
	describe('error output', () => testErrorOutput(current));
	describe('editor', () => testEditor(current));
	describe('agent', () => testAgentTool(current));
	// These stop and start the service and n8n, so they come last.
	describe('trigger', () => testTrigger(current));
	describe('project trigger', () => testProjectTrigger(current));
});

// In the same file, so that two builds never run at once.
describe('npm start', () => testNpmStart());
