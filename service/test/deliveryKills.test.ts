import { startService } from './runningService.ts';
import { deliveryKillsSuite } from './suites/deliveryKills.ts';

deliveryKillsSuite(startService, { kills: 20, deliveries: 1000 });
