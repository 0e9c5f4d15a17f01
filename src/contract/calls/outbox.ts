/** Pending changes. */
import { z } from 'zod';
import { call, nothing } from './call.ts';

const entry = z.object({ id: z.int() });

export const outboxCalls = {
  /** Discards a pending change. One that is being sent, or is gone, is left alone. */
  revoke: call(entry, z.void()),
  /** Retries a rejected change; all pending changes follow as soon as the service can be reached. */
  retry: call(entry, z.void()),
  /** Sends the pending changes now. Answers once that was tried. */
  send: call(nothing, z.void()),
};
