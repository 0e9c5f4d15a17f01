/** For tests of other things: no limit. */

import { createRateLimit } from '../rate-limit.ts';
import { sleep } from '../sleep.ts';

export const unlimited = createRateLimit(() => undefined, sleep);
