/** Making everything available offline. */
import { z } from 'zod';
import { call, nothing } from './call.ts';

export const offlineCalls = {
  /** Starts or resumes making everything available offline. Answers at once; `offline` events report the progress. */
  start: call(nothing, z.void()),
  /** Pauses it. */
  pause: call(nothing, z.void()),
};
