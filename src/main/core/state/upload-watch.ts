/** What an upload means for the machine and the person: it stays awake while files go out, and they learn of the end. */
import { type Batch, isActive, isBeingCancelled } from '../../../contract/batches.ts';
import type { Host } from '../../hosts/host.ts';

type UploadWatch = {
  /** Told of every batch that changed. */
  readonly see: (batch: Batch) => void;
  readonly close: () => void;
};

/** What ends or stops within this time is said in one notice. */
const TOGETHER_MS = 2_000;

/** Folders that a person uploads in one go are begun one after another, this close to each other. */
const STARTED_TOGETHER_MS = 10_000;

/** Watches over no batch yet. `onOpen`: the person wants to see an upload, or without it all of them. */
export const createUploadWatch = (
  { keepAwake, notify }: Pick<Host, 'keepAwake' | 'notify'>,
  onOpen: (batch: string | undefined) => void,
): UploadWatch => {
  const running = new Map<string, Batch>();
  /** Ended or stopped, and not said yet. */
  const ended = new Map<string, Batch>();
  let release: (() => void) | undefined;
  let tellsLater: NodeJS.Timeout | undefined;

  const awakeWhileRunning = (): void => {
    if (running.size > 0) {
      release ??= keepAwake();
    } else {
      release?.();
      release = undefined;
    }
  };

  /** One that has stopped needs the person now; one that is done waits for those that were started with it. */
  const isToBeTold = (batch: Batch): boolean =>
    batch.state === 'paused' || ![...running.values()].some((other) => wereStartedTogether(batch, other));

  const tell = (): void => {
    tellsLater = undefined;
    const [first, ...others] = [...ended.values()].filter(isToBeTold);
    if (first === undefined) return;
    for (const { batchId } of [first, ...others]) ended.delete(batchId);
    notify([first, ...others], () => onOpen(others.length === 0 ? first.batchId : undefined));
  };

  const end = (batch: Batch): void => {
    ended.set(batch.batchId, batch);
    tellsLater ??= setTimeout(tell, TOGETHER_MS).unref();
  };

  return {
    see: (batch) => {
      if (isActive(batch)) {
        running.set(batch.batchId, batch);
        ended.delete(batch.batchId);
      } else if (running.delete(batch.batchId)) {
        if (batch.state !== 'cancelled' && !isBeingCancelled(batch)) end(batch);
        // Others may have waited for this one only.
        else if (ended.size > 0) tellsLater ??= setTimeout(tell, TOGETHER_MS).unref();
      }
      awakeWhileRunning();
    },
    close: () => {
      clearTimeout(tellsLater);
      running.clear();
      ended.clear();
      awakeWhileRunning();
    },
  };
};

const wereStartedTogether = (one: Batch, other: Batch): boolean =>
  one.AssignmentId === other.AssignmentId && Math.abs(one.createdAtMs - other.createdAtMs) <= STARTED_TOGETHER_MS;
