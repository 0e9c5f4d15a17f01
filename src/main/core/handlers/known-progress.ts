/** What the uploads from this computer and the pending changes say about assignments, for the work list. */
import { isPending, type OutboxEntry } from '../../../contract/offline.ts';
import { type Batch, hasEnded, settledFiles } from '../../../contract/uploads.ts';
import type { KnownProgress } from '../../cache/work-list.ts';

type Sources = {
  readonly uploads: { readonly present: () => readonly Batch[] };
  readonly outbox: { readonly list: () => readonly OutboxEntry[] };
};

type Summed = { readonly batches: readonly Batch[]; readonly plans: string; readonly known: readonly KnownProgress[] };
type Pending = NonNullable<KnownProgress['pending']>;

/** Creates a function that returns the same list until a batch or a pending plan-after date changes. */
export const createKnownProgress = (): ((sources: Sources) => readonly KnownProgress[]) => {
  let before: Summed = { batches: [], plans: '', known: [] };
  return ({ uploads, outbox }) => {
    const batches = uploads.present();
    const pending = pendingPlans(outbox.list());
    const plans = JSON.stringify([...pending]);
    const isSame =
      plans === before.plans &&
      batches.length === before.batches.length &&
      batches.every((batch, index) => batch === before.batches[index]);
    if (!isSame) before = { batches, plans, known: knownProgress(batches, pending) };
    return before.known;
  };
};

const pendingPlans = (entries: readonly OutboxEntry[]): ReadonlyMap<string, Pending> =>
  new Map(
    entries.flatMap((entry) =>
      entry.kind === 'plan-after' && isPending(entry) ? [[entry.AssignmentId, { PlanAfter: entry.PlanAfter }]] : [],
    ),
  );

/** The progress of each assignment with `batches` or a `pending` date. */
const knownProgress = (batches: readonly Batch[], pending: ReadonlyMap<string, Pending>): readonly KnownProgress[] => {
  const byAssignment = Map.groupBy(batches, ({ AssignmentId }) => AssignmentId);
  return [...new Set([...byAssignment.keys(), ...pending.keys()])].map((AssignmentId) => {
    const own = byAssignment.get(AssignmentId) ?? [];
    const sum = (of: (batch: Batch) => number): number => own.reduce((total, batch) => total + of(batch), 0);
    const last = own
      .filter(({ uploaded }) => uploaded > 0)
      .reduce<Batch | undefined>((latest, batch) => (latest && atMs(latest) > atMs(batch) ? latest : batch), undefined);
    return {
      AssignmentId,
      sent: sum(({ uploaded, removed = 0 }) => uploaded - removed),
      failed: sum(({ failed, notReplaced = 0 }) => failed + notReplaced),
      waiting: sum((batch) => (hasEnded(batch) ? 0 : batch.files - settledFiles(batch))),
      ...(last && { lastUpload: { batchId: last.batchId, atMs: atMs(last) } }),
      ...(pending.has(AssignmentId) && { pending: pending.get(AssignmentId) }),
    };
  });
};

const atMs = ({ finishedAtMs, createdAtMs }: Batch): number => finishedAtMs ?? createdAtMs;
