/** The offline data on disk. */
import { z } from 'zod';
import { call, nothing } from './call.ts';

export const cacheCalls = {
  size: call(nothing, z.object({ sizeBytes: z.number() })),
  /** Clears the offline data of this connection. */
  clear: call(nothing, z.void()),
};
