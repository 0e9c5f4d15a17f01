/** What an upload means for the machine and the person: it stays awake while files go out, and they hear of the end. */
import { type Batch, isBeingCancelled } from '../contract/models.ts';
import type { Host } from './host.ts';

export type UploadWatch = {
  /** Told of every batch that changed. */
  readonly see: (batch: Batch) => void;
  readonly close: () => void;
};

/** Watches over no batch yet. */
export const createUploadWatch = ({ keepAwake, notify }: Pick<Host, 'keepAwake' | 'notify'>): UploadWatch => {
  const running = new Set<string>();
  let release: (() => void) | undefined;

  const awakeWhileRunning = (): void => {
    if (running.size > 0) {
      release ??= keepAwake();
    } else {
      release?.();
      release = undefined;
    }
  };

  return {
    see: (batch) => {
      const runs = batch.state === 'running' || batch.state === 'scanning';
      if (runs) running.add(batch.batch);
      else if (running.delete(batch.batch) && batch.state !== 'cancelled' && !isBeingCancelled(batch)) notify(batch);
      awakeWhileRunning();
    },
    close: () => {
      running.clear();
      awakeWhileRunning();
    },
  };
};
