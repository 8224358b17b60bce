import { startService } from './service.ts';
import { ConfigError, readConfig } from './config.ts';
import { DatabaseUnavailableError } from './database/database.ts';
import { PortUnavailableError } from './http/listen.ts';
import { DataFolderError } from './storage/dataFolder.ts';

/** Errors whose message is all that a person needs. */
const EXPLAINED = [ConfigError, DataFolderError, DatabaseUnavailableError, PortUnavailableError];

try {
	const service = await startService(readConfig(process.env));
	let stopping = false;
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => {
			// Whoever asks twice does not want to wait.
			if (stopping) process.exit(1);
			stopping = true;
			service.stop().then(
				() => process.exit(0),
				(error: unknown) => {
					console.error('The service did not stop cleanly; nothing is lost.', error);
					process.exit(1);
				},
			);
		});
	}
} catch (error) {
	const explained = EXPLAINED.some((kind) => error instanceof kind);
	console.error(explained && error instanceof Error ? error.message : error);
	process.exit(1);
}
