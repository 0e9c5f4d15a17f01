/** For tests that do not need a rate limit. */

import { createRateLimit } from '../rate-limit.ts';
import { sleep } from '../sleep.ts';

export const unlimited = createRateLimit(() => undefined, sleep);
