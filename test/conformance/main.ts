import { openStage, UsageError } from './walk/commandLine.ts';
import { descriptionOf, sentence } from './walk/description.ts';
import { line, summary } from './walk/report.ts';
import { walk } from './walk/walk.ts';

/**
 * `npm run conformance`: walks every row of the interface against a service that runs, and prints
 * them. Ends with 1 where a row fails, with 2 where it was called in a way that cannot work.
 */
try {
	const opened = await openStage(process.argv.slice(2), process.env);
	const end = async (): Promise<never> => {
		await opened.end();
		process.exit(130);
	};
	process.once('SIGINT', () => void end());
	process.once('SIGTERM', () => void end());
	try {
		const started = Date.now();
		const description = await descriptionOf(opened.stage);
		const result = await walk(opened.stage, {
			only: opened.only,
			validate: description.validate,
			report: (row) => process.stdout.write(`${line(row)}\n`),
		});
		const seconds = (Date.now() - started) / 1000;
		process.stdout.write(`\n${sentence(description)}\n${summary(result, seconds)}\n`);
		process.exitCode = result.passed ? 0 : 1;
	} finally {
		await opened.end();
	}
} catch (error) {
	if (!(error instanceof UsageError)) throw error;
	process.stderr.write(`${error.message}\n`);
	process.exitCode = 2;
}
