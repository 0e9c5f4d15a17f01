/** For tests that need no rate limit. */

import { sleep } from '../clock.ts';
import { createRateLimit } from '../rate-limit.ts';

export const unlimited = createRateLimit(() => undefined, sleep);
