/** For tests: a transfer context whose parts do not wait. Most of them are real. */

import { createKeyedLock } from '../../../async/lock.ts';
import { createBudget, createSlots } from '../../../async/slots.ts';
import { unlimited } from '../../../async/testing/unlimited.ts';
import { createGate } from '../../../net/gate.ts';
import { createHostHealth } from '../../../net/host-health.ts';
import { createTestOpen } from '../../source/testing/hasher.ts';
import { BLOCK_SIZES, SEND_TIMEOUTS } from '../../storage/put-file.ts';
import { createInterruptions } from '../interruptions.ts';
import type { createPool } from '../pool.ts';
import type { TransferContext } from '../transfer-context.ts';

const fixedPool = (): ReturnType<typeof createPool> => ({
  ...createSlots(4),
  moved: () => {},
  responded: () => {},
  overloaded: () => {},
});

/**
 * Creates a transfer context. `own`: the ledger, the service, the storage, and all other parts that the test replaces.
 */
export const createTestContext = (
  own: Pick<TransferContext, 'ledger' | 'service' | 'storage'> & Partial<TransferContext>,
): TransferContext => ({
  isLocal: true,
  gate: createGate(),
  health: createHostHealth({ probe: async () => Promise.reject(), sleep: async () => {}, patienceMs: 0 }),
  interruptions: createInterruptions({ sleep: async () => {}, report: () => {}, now: () => 5 }),
  pause: own.sleep ?? (async () => {}),
  timeouts: SEND_TIMEOUTS,
  listLagMs: 0,
  limit: unlimited,
  blockSizes: BLOCK_SIZES,
  md5Origins: new Map(),
  line: { request: () => () => {}, moved: () => {}, begins: async () => {} },
  open: createTestOpen(),
  pools: { signing: fixedPool(), sending: fixedPool(), ahead: createSlots(4), memory: createBudget(2 ** 26) },
  lock: createKeyedLock(),
  unanswered: new Map<number, number>(),
  sleep: async () => {},
  now: () => 5,
  steady: () => 5,
  ...own,
});
