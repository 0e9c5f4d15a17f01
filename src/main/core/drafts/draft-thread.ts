/** The main thread's side of the thread of a draft. */
import { Worker } from 'node:worker_threads';
import type { Draft } from '../../../contract/drafts.ts';
import { DeskError } from '../../../contract/errors.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import type { MainCalls, ThreadCalls } from './draft-calls.ts';

export type DraftThread = {
  readonly call: Peer<ThreadCalls>['call'];
  readonly tell: Peer<ThreadCalls>['tell'];
  /** Ends the thread, and every open call with `app/cancelled`. `hangs`: it waits for a drive that does not answer. */
  readonly end: () => Promise<{ readonly hangs: boolean }>;
};

type ThreadOptions = {
  /** The module draft-worker.ts in this host. */
  readonly worker: URL;
  readonly onDraft: (draft: Draft) => void;
  readonly countClashes: MainCalls['countClashes'];
  /** Receives errors that no caller waits for. */
  readonly onBug: (error: unknown) => void;
  /** The thread died: the draft is lost. */
  readonly onLost: (error: DeskError) => void;
};

/** How long the thread may take to end. */
const END_MS = 5_000;

/** Starts a thread, which does not keep the process alive. */
export const startDraftThread = ({ worker, onDraft, countClashes, onBug, onLost }: ThreadOptions): DraftThread => {
  const thread = new Worker(worker, { name: 'draft' });
  thread.unref();
  const main: MainCalls = { draft: onDraft, countClashes, bug: onBug };
  const { call, tell, end } = connectPort<ThreadCalls>(thread, main, onBug);
  let isEnding = false;
  thread.on('error', onBug);
  const exited = new Promise<void>((resolve) => {
    thread.once('exit', () => {
      const lost = new DeskError('draft/stopped', 'the thread of the draft has stopped', { retry: 'later' });
      end(isEnding ? closed() : lost);
      if (!isEnding) onLost(lost);
      resolve();
    });
  });
  return {
    call,
    tell,
    end: async () => {
      isEnding = true;
      // The process waits for the end of the thread, and does not exit before.
      thread.ref();
      const late = Promise.withResolvers<{ hangs: boolean }>();
      const timer = setTimeout(() => late.resolve({ hangs: true }), END_MS);
      const answer = await Promise.race([call('end', undefined).catch(() => ({ hangs: false })), late.promise]);
      clearTimeout(timer);
      if (answer.hangs) thread.unref();
      else await exited;
      end(closed());
      return answer;
    },
  };
};

const closed = (): DeskError => new DeskError('app/cancelled', 'the draft was closed');
