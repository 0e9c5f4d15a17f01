/** Hands the assignments and the rules of a connection to a thread that matches folders, and goes on reading what is missing. */
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { wallNow } from '../../async/clock.ts';
import type { Cache } from '../../cache/cache.ts';
import type { ListedProtocol } from '../../cache/targets.ts';
import type { Rules } from '../../matching/rules.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import { createLists, estimate, type Lists } from './bring-up-to-date.ts';
import type { DraftThread } from './draft-thread.ts';

type FeedOptions = Pick<ConnectionServices, 'connectionId' | 'service'> & {
  readonly cache: Cache;
  readonly thread: Pick<DraftThread, 'call' | 'tell'>;
  readonly rules: () => Rules;
  /** Whether lists that are missing or old are read from the service. */
  readonly isUpdating: boolean;
  /** Whether reading ends once nothing that is unread can change any folder. Default: everything is read. */
  readonly isEnough?: boolean;
  /** Ends everything. */
  readonly ending: AbortSignal;
  readonly onBug: (error: unknown) => void;
};

/** Lists that are read before the thread is asked again which of them folders wait for. */
const ASKED_EVERY = 20;

/** Errors of the update and of the stored lists reach the thread as its reason. Resolves once everything is read that can be. */
export const feedTargets = async (options: FeedOptions): Promise<void> => {
  const { cache, thread, connectionId, service, isUpdating, ending, onBug } = options;
  const lists = createLists({
    ...{ cache, connectionId, service, now: wallNow },
    onProgress: (progress) => thread.tell('progress', progress),
  });
  let reason: ErrorData | undefined;
  const notingErrors = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DeskError)) onBug(error);
      else if (!ending.aborted) reason = toErrorData(error);
    }
  };
  const handOver = async (isReading: boolean): Promise<Missing> => {
    const missing: Missing = { unread: new Map(), read: 0, isPartial: true };
    thread.tell('begin', { rules: options.rules(), isReading });
    await notingErrors(async () => {
      for await (const part of lists.targets()) {
        if (ending.aborted) return;
        thread.tell('targets', part);
      }
      for await (const { unread, listed } of lists.unread()) {
        if (ending.aborted) return;
        thread.tell('unread', unread);
        for (const protocol of unread) missing.unread.set(protocol.InspectionProtocolId, protocol);
        missing.read += listed - unread.length;
      }
      missing.isPartial = !lists.isWhole();
    });
    return missing;
  };

  const isWhole = lists.isWhole();
  let missing = await handOver(isUpdating);
  if (isUpdating && !isWhole) {
    await notingErrors(() => lists.readWhole(ending));
    missing = await handOver(true);
  }
  if (isUpdating && reason === undefined && missing.unread.size > 0) {
    thread.tell('updated', { isPartial: missing.isPartial, isReading: true });
    await notingErrors(() => readMissing(lists, missing, options));
  }
  if (!ending.aborted) thread.tell('updated', { isPartial: missing.isPartial, isReading: false, reason });
};

/** What is to be read, and how many lists need not be; `isPartial`: there may be protocols that are not listed. */
type Missing = { readonly unread: Map<string, ListedProtocol>; read: number; isPartial: boolean };

/** Reads the lists that are missing, those first that a folder waits for. */
const readMissing = async (
  lists: Lists,
  { unread, read }: Missing,
  { thread, isEnough = false, ending }: FeedOptions,
): Promise<void> => {
  const leftMs = estimate();
  const total = unread.size;
  let done = 0;
  let wanted: readonly string[] = [];
  let taken = 0;
  let isSettled = false;
  const tell = (): void =>
    thread.tell('progress', {
      stage: 'assignments',
      read: read + done,
      total: read + total,
      leftMs: leftMs(done, total),
    });
  const next = async (): Promise<ListedProtocol | undefined> => {
    if (taken % ASKED_EVERY === 0) ({ protocols: wanted, isSettled } = await thread.call('wanted', ASKED_EVERY));
    taken += 1;
    if (isEnough && isSettled) return undefined;
    const id = wanted.find((one) => unread.has(one)) ?? unread.keys().next().value;
    const protocol = id === undefined ? undefined : unread.get(id);
    if (id !== undefined) unread.delete(id);
    return protocol;
  };
  tell();
  await lists.readAssignments(
    next,
    ({ InspectionProtocolId }, targets) => {
      done += 1;
      if (targets) thread.tell('read', { InspectionProtocolId, targets });
      tell();
    },
    ending,
  );
};
