/** For tests of other things: no limit. */
import { sleep } from '../../net/sleep.ts';
import { createRateLimit } from '../rate-limit.ts';

export const unlimited = createRateLimit(() => undefined, sleep);
