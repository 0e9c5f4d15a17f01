/** Keeps batches to the hours of their folders: pauses them when these end, and resumes them when they begin. */
import { type Batch, hasEnded, isActive } from '../../contract/batches.ts';
import { DeskError, toErrorData } from '../../contract/errors.ts';
import { type BatchPhase, timedStep } from './timed-batches.ts';
import type { WatchedUploads } from './watched-parts.ts';
import type { FolderRow, WatchedStore } from './watched-store.ts';

type HoursOptions = {
  readonly store: Pick<WatchedStore, 'timed' | 'setTimed' | 'endTimed'>;
  readonly uploads: Pick<WatchedUploads, 'present' | 'pause' | 'resume'>;
  readonly folders: () => readonly FolderRow[];
  readonly isOpenNow: (folder: FolderRow) => boolean;
  readonly onBug: (error: unknown) => void;
};

export type HoursKeeper = {
  /** Pauses and resumes what has to be now. */
  readonly keep: () => Promise<void>;
  /** Resumes what waits for the hours of a folder; the hours do not hold it back until they have begun again. */
  readonly overrule: (folder: number) => void;
  /** The batches that wait for the hours of a folder. */
  readonly heldBy: (folder: number) => readonly string[];
  /** Not awaited: a batch runs again only when the last files of its previous run are settled. */
  readonly resume: (batch: string) => void;
};

const OUTSIDE_HOURS = toErrorData(new DeskError('upload/scheduled', 'it is sent within its hours', { retry: 'later' }));

const phaseOf = (batch: Batch): BatchPhase => {
  if (hasEnded(batch)) return 'ended';
  if (isActive(batch)) return 'active';
  if (!batch.reason) return 'paused';
  return batch.reason.code === 'upload/scheduled' ? 'scheduled' : 'stopped';
};

/** Nothing is paused or resumed before `keep`. */
export const createHoursKeeper = ({ store, uploads, folders, isOpenNow, onBug }: HoursOptions): HoursKeeper => {
  const resuming = new Set<string>();
  const resume = (batch: string): void => {
    if (resuming.has(batch)) return;
    resuming.add(batch);
    uploads
      .resume(batch)
      .catch((error) => {
        // Its state changed meanwhile; the next look decides again.
        if (!(error instanceof DeskError)) onBug(error);
      })
      .finally(() => resuming.delete(batch));
  };
  const present = () => new Map(uploads.present().map((batch) => [batch.batchId, batch]));
  const heldOf = (folder: number) => {
    const batches = present();
    return store.timed().filter((timed) => {
      const batch = batches.get(timed.batch);
      return timed.folder === folder && batch !== undefined && phaseOf(batch) === 'scheduled';
    });
  };

  return {
    keep: async () => {
      const rows = new Map(folders().map((row) => [row.id, row]));
      const batches = present();
      for (const timed of store.timed()) {
        const row = rows.get(timed.folder);
        const batch = batches.get(timed.batch);
        if (!row || !batch) continue;
        const { act, ...next } = timedStep(timed, phaseOf(batch), isOpenNow(row));
        try {
          if (act === 'pause') await uploads.pause(timed.batch, OUTSIDE_HOURS);
        } catch (error) {
          // Its state changed meanwhile; the next look decides again.
          if (error instanceof DeskError) continue;
          throw error;
        }
        if (act === 'resume') resume(timed.batch);
        if (act === 'forget') store.endTimed(timed.batch);
        else if (next.paused !== timed.paused || next.overruled !== timed.overruled) {
          store.setTimed({ ...timed, ...next });
        }
      }
    },
    overrule: (folder) => {
      for (const timed of heldOf(folder)) {
        store.setTimed({ ...timed, overruled: true });
        resume(timed.batch);
      }
    },
    heldBy: (folder) => heldOf(folder).map(({ batch }) => batch),
    resume,
  };
};
