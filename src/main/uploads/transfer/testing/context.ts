/** For tests: what all transfers share, of real parts that wait for nothing. */

import { createKeyedLock } from '../../../async/keyed-lock.ts';
import { unlimited } from '../../../async/testing/unlimited.ts';
import { createGate } from '../../../net/gate.ts';
import { createNetwork } from '../../../net/network.ts';
import { createPools } from '../../engine/pool.ts';
import { createTestOpen } from '../../source/testing/hasher.ts';
import { SEND_TIMEOUTS } from '../../storage/timeouts.ts';
import type { TransferContext } from '../transfer-context.ts';

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
