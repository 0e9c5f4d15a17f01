/** For tests: what all transfers share, of real parts that wait for nothing. */
import { createGate } from '../../net/gate.ts';
import { createNetwork } from '../../net/network.ts';
import { createTestOpen } from '../hashing/test-hasher.ts';
import { createKeyedLock } from '../scheduling/keyed-lock.ts';
import { createPools } from '../scheduling/pool.ts';
import { unlimited } from '../scheduling/test-limit.ts';
import { SEND_TIMEOUTS } from '../sending/timeouts.ts';
import type { TransferContext } from './transfer-context.ts';

/** `own`: the ledger, the service, the storage, and whatever else a test has of its own. */
export const createTestContext = (
  own: Pick<TransferContext, 'ledger' | 'service' | 'storage'> & Partial<TransferContext>,
): TransferContext => ({
  isLocal: true,
  gate: createGate(),
  network: createNetwork({ probe: async () => Promise.reject(), sleep: async () => {}, patienceMs: 0 }),
  pause: own.sleep ?? (async () => {}),
  seen: () => {},
  timeouts: SEND_TIMEOUTS,
  limit: unlimited,
  open: createTestOpen(),
  pools: createPools(4, () => 5),
  lock: createKeyedLock(),
  unanswered: new Set<number>(),
  sleep: async () => {},
  now: () => 5,
  ...own,
});
