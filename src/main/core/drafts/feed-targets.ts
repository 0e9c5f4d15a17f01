/** Hands the assignments and the rules of a connection to a thread that matches folders. */
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { wallNow } from '../../async/clock.ts';
import type { Cache } from '../../cache/cache.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import { bringUpToDate, storedTargets } from './bring-up-to-date.ts';
import type { DraftThread } from './draft-thread.ts';

type FeedOptions = Pick<ConnectionServices, 'connectionId' | 'service'> & {
  readonly cache: Cache;
  readonly thread: Pick<DraftThread, 'tell'>;
  /** The rules: assignments by the keys of folder names. */
  readonly confirmed: () => ReadonlyMap<string, string>;
  /** Whether lists that are missing or old are read from the service. */
  readonly isUpdating: boolean;
  /** Ends the update; what is there is handed over. */
  readonly skipped?: AbortSignal;
  /** Ends everything. */
  readonly ending: AbortSignal;
  readonly onBug: (error: unknown) => void;
};

/** Errors of the update and of the stored lists reach the thread as its reason. */
export const feedTargets = async (options: FeedOptions): Promise<void> => {
  const { cache, thread, connectionId, service, confirmed, isUpdating, skipped, ending, onBug } = options;
  const signal = AbortSignal.any(skipped ? [ending, skipped] : [ending]);
  let reason: ErrorData | undefined;
  if (isUpdating) {
    const onProgress = (progress: { readonly read: number; readonly total: number }) =>
      thread.tell('updating', progress);
    try {
      await bringUpToDate({ cache, connectionId, service, now: wallNow, onProgress }, signal);
    } catch (error) {
      if (!(error instanceof DeskError)) onBug(error);
      if (!signal.aborted) reason = toErrorData(error);
    }
  }
  try {
    for await (const part of storedTargets(cache, connectionId)) {
      if (ending.aborted) return;
      thread.tell('targets', part);
    }
  } catch (error) {
    // The draft goes on with those that were read.
    if (error instanceof DeskError) reason = toErrorData(error);
    else onBug(error);
  }
  thread.tell('updated', { confirmed: confirmed(), reason });
};
