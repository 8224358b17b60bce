import { startService } from './runningService.ts';
import { accessSuite } from './suites/access.ts';
import { accessTokensSuite } from './suites/accessTokens.ts';
import { allowanceSuite } from './suites/allowance.ts';
import { fraudSignalsSuite } from './suites/fraudSignals.ts';
import { hostileFilesSuite } from './suites/hostileFiles.ts';
import { jobsSuite } from './suites/jobs.ts';
import { legacySuite } from './suites/legacy.ts';
import { projectsSuite } from './suites/projects.ts';
import { rateLimitSuite } from './suites/rateLimit.ts';
import { requestBodiesSuite } from './suites/requestBodies.ts';
import { uploadsSuite } from './suites/uploads.ts';
import { watchedFolderSuite } from './suites/watchedFolder.ts';
import { webhooksSuite } from './suites/webhooks.ts';

// The same suites run on a PostgreSQL server in postgres/blackBox.ts.
accessSuite(startService);
uploadsSuite(startService);
jobsSuite(startService);
legacySuite(startService);
hostileFilesSuite(startService);
projectsSuite(startService);
watchedFolderSuite(startService);
allowanceSuite(startService);
fraudSignalsSuite(startService);
webhooksSuite(startService);
accessTokensSuite(startService);
rateLimitSuite(startService);
requestBodiesSuite(startService);
