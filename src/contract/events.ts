/**
 * What main tells the renderer unasked. Each event carries the next revision of main's state; whoever misses one
 * asks for a snapshot.
 */
import { z } from 'zod';
import { Batch, BatchId } from './batches.ts';
import { Connection, SessionStatus } from './connection.ts';
import { OfflineStatus } from './offline.ts';
import { OutboxEntry } from './outbox.ts';
import { Preferences } from './preferences.ts';
import { Reachability } from './reachability.ts';
import { Notice } from './snapshot.ts';

export const DeskEvent = z.discriminatedUnion('type', [
  z.object({ revision: z.int(), type: z.literal('connection'), connection: Connection.optional() }),
  z.object({ revision: z.int(), type: z.literal('session'), session: SessionStatus }),
  z.object({ revision: z.int(), type: z.literal('batch'), batch: Batch }),
  z.object({ revision: z.int(), type: z.literal('notice'), notice: Notice }),
  z.object({ revision: z.int(), type: z.literal('reachability'), reachability: Reachability }),
  z.object({ revision: z.int(), type: z.literal('offline'), offline: OfflineStatus }),
  z.object({ revision: z.int(), type: z.literal('outbox'), outbox: z.array(OutboxEntry).readonly() }),
  z.object({ revision: z.int(), type: z.literal('preferences'), preferences: Preferences }),
  /** The person asked for an upload outside of the window: `batchId`, or the list of uploads where it is absent. */
  z.object({ revision: z.int(), type: z.literal('show-upload'), batchId: BatchId.optional() }),
]);
export type DeskEvent = z.infer<typeof DeskEvent>;
