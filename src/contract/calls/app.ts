/** The app as a whole. */
import { z } from 'zod';
import { Snapshot } from '../snapshot.ts';
import { call, nothing } from './call.ts';

export const appCalls = {
  /** All of main's state: at the start, and whenever an event was missed. */
  snapshot: call(nothing, Snapshot),
  dismissNotices: call(nothing, z.void()),
  /** Ends rate-limit pauses, and probes the hosts that cannot be reached. */
  tryNow: call(nothing, z.void()),
  /** Shows the folder of the log file. Errors: `app/unsupported`. */
  openLogs: call(nothing, z.void()),
};
