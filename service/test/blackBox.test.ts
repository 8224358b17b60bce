import { startService } from './runningService.ts';
import { accessSuite } from './suites/access.ts';
import { hostileFilesSuite } from './suites/hostileFiles.ts';
import { jobsSuite } from './suites/jobs.ts';
import { uploadsSuite } from './suites/uploads.ts';

// The same suites run on a PostgreSQL server in postgres/blackBox.ts.
accessSuite(startService);
uploadsSuite(startService);
jobsSuite(startService);
hostileFilesSuite(startService);
