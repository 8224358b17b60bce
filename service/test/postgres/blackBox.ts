import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { Client } from 'pg';
import { startService } from '../runningService.ts';
import type { ServiceOptions } from '../runningService.ts';
import { accessSuite } from '../suites/access.ts';
import { accessTokensSuite } from '../suites/accessTokens.ts';
import { allowanceSuite } from '../suites/allowance.ts';
import { deliveryKillsSuite } from '../suites/deliveryKills.ts';
import { fraudSignalsSuite } from '../suites/fraudSignals.ts';
import { hostileFilesSuite } from '../suites/hostileFiles.ts';
import { isolationSuite } from '../suites/isolation.ts';
import { jobsSuite } from '../suites/jobs.ts';
import { killsSuite } from '../suites/kills.ts';
import { legacySuite } from '../suites/legacy.ts';
import { projectsSuite } from '../suites/projects.ts';
import { severalProcessesSuite } from '../suites/severalProcesses.ts';
import { rateLimitSuite } from '../suites/rateLimit.ts';
import { requestBodiesSuite } from '../suites/requestBodies.ts';
import { toolsSuite } from '../suites/tools.ts';
import { uploadsSuite } from '../suites/uploads.ts';
import { webhooksSuite } from '../suites/webhooks.ts';
import {
	watchedFolderKillsSuite,
	watchedFolderProcessesSuite,
	watchedFolderSuite,
} from '../suites/watchedFolder.ts';

// Every suite of the service on a PostgreSQL server. DATABASE_URL must name a database on which the
// user may create others: each service gets a new one, which is dropped at the end.
const administration = process.env['DATABASE_URL'];
if (!administration) {
	throw new Error(
		'DATABASE_URL is not set. It names a PostgreSQL server for these tests, such as ' +
			'postgres://user:password@127.0.0.1:5432/postgres, and the user must be able to create databases.',
	);
}

const created: string[] = [];

async function administer(statement: string): Promise<void> {
	const client = new Client({ connectionString: administration });
	await client.connect();
	try {
		await client.query(statement);
	} finally {
		await client.end();
	}
}

async function start(options: ServiceOptions = {}) {
	const name = `extraction_test_${randomBytes(6).toString('hex')}`;
	await administer(`create database ${name}`);
	created.push(name);
	const url = new URL(administration ?? '');
	url.pathname = `/${name}`;
	return await startService({ ...options, env: { ...options.env, DATABASE_URL: url.href } });
}

after(async () => {
	for (const name of created) await administer(`drop database if exists ${name} with (force)`);
});

accessSuite(start);
uploadsSuite(start);
jobsSuite(start);
legacySuite(start);
hostileFilesSuite(start);
projectsSuite(start);
watchedFolderSuite(start);
allowanceSuite(start);
fraudSignalsSuite(start);
toolsSuite(start);
webhooksSuite(start);
accessTokensSuite(start);
rateLimitSuite(start);
requestBodiesSuite(start);
isolationSuite(start);
killsSuite(start, { kills: 5 });
deliveryKillsSuite(start, { kills: 6, deliveries: 300 });
watchedFolderKillsSuite(start, { kills: 4 });
watchedFolderProcessesSuite(start);
severalProcessesSuite(start);
