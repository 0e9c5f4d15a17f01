/**
 * For tests: a model of the world outside an upload. A list of fates decides each response of a service and a storage,
 * and whether a process dies at a step that reaches the disk or the network.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { DeskError } from '../../../../contract/errors.ts';
import { portOf } from '../../../net/urls.ts';
import type { Commit, Ledger } from '../../ledger/ledger.ts';
import type { UploadService } from '../../transfer/transfer-context.ts';

/**
 * How a step ends. `ok`: successfully; `busy`: with a request to try later; `fails`: without effect; `lost`: with
 * effect, but without a response; `refused`: permanently; `expired`: the URL has expired; `lied`: a file is not stored
 * although the storage's response says so; `dies-before`, `dies-after`: the process dies before or after the step has
 * its effect. `expired` and `lied` concern only a PUT, and a commit can only die: any other step with such a fate
 * succeeds.
 */
export type Fate = 'ok' | 'busy' | 'fails' | 'lost' | 'refused' | 'expired' | 'lied' | 'dies-before' | 'dies-after';

/** One process of the app. Once it is dead, its actions have no effect. */
export type Life = { dead: boolean };

export type World = {
  /** The files on the assignment: their sha256 by Key. */
  readonly held: ReadonlyMap<string, string>;
  /** The Keys under which nothing is stored although the last send seemed to succeed. */
  readonly swallowed: ReadonlySet<string>;
  /**
   * Whether a file with this name and content was ever swallowed, that is, not stored although its send seemed to
   * succeed.
   */
  readonly hasSwallowed: (fileName: string, sha256: string) => boolean;
  readonly service: UploadService;
  /** Wraps the ledger of a process that may die. */
  readonly mortal: (ledger: Ledger, life: Life) => Ledger;
  /** Sets the fates of the next steps of `life`, in order; later steps succeed. */
  readonly begin: (life: Life, fates: readonly Fate[]) => void;
  /** Whether some fates were not used by any step. */
  readonly hasFatesLeft: () => boolean;
  /** Resolves when the storage is idle. */
  readonly quiet: () => Promise<void>;
  readonly close: () => void;
};

/** The duration of a commit on a slow disk: longer than a whole PUT in these tests. */
const SLOW_COMMIT_MS = 20;

/**
 * Starts the world, with an empty assignment and a storage on 127.0.0.1. `proves`: the storage's responses contain the
 * MD5. `reusesKeys`: the service gives a FileName the same Key each time.
 */
export const startWorld = async ({
  proves = false,
  reusesKeys = false,
}: {
  readonly proves?: boolean | undefined;
  readonly reusesKeys?: boolean | undefined;
} = {}): Promise<World> => {
  const held = new Map<string, string>();
  const swallowed = new Set<string>();
  const everSwallowed = new Set<string>();
  const names = new Map<string, string>();
  const expired = new Set<string>();
  const answering = new Set<Promise<void>>();
  let keys = 0;
  let life: Life = { dead: false };
  let fates: Fate[] = [];

  /** Returns the fate of the next step, which then counts as used. */
  const next = (): Fate => (life.dead ? 'dies-before' : (fates.shift() ?? 'ok'));
  const die = (): void => {
    life.dead = true;
  };

  /** Makes a call to the service. Its fate decides whether `work` runs, and whether there is a response. */
  const call = async <T>(work: () => T): Promise<T> => {
    const fate = next();
    if (fate === 'dies-before') die();
    if (life.dead) throw gone();
    if (fate === 'busy') throw new DeskError('service/busy', 'busy', { retry: 'later' });
    if (fate === 'fails') throw new DeskError('service/failed', 'failed', { retry: 'later' });
    if (fate === 'refused') throw new DeskError('service/refused', 'refused');
    const answer = work();
    if (fate === 'dies-after') die();
    if (life.dead) throw gone();
    if (fate === 'lost')
      throw new DeskError('service/unreachable', 'lost', { retry: 'later', details: { phase: 'exchange' } });
    return answer;
  };

  const put = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const key = incoming.url?.slice(1) ?? '';
    const content = await buffer(incoming).catch(() => undefined);
    if (!content || content.length !== Number(incoming.headers['content-length'])) return;
    const fate = next();
    const answer = (status: number, code = ''): void =>
      void outgoing.writeHead(status).end(`<Error><Code>AccessDenied</Code><Message>${code}</Message></Error>`);
    if (fate === 'dies-before') die();
    if (life.dead) return void outgoing.destroy();
    if (fate === 'expired') expired.add(key);
    if (expired.has(key)) return answer(403, 'Request has expired');
    if (fate === 'busy') return answer(503);
    if (fate === 'refused') return answer(403);
    if (fate === 'fails') return answer(500);
    if (fate === 'lied') {
      if (!held.has(key)) {
        swallowed.add(key);
        everSwallowed.add(`${names.get(key)} ${sha256(content)}`);
      }
      return answer(200);
    }
    held.set(key, sha256(content));
    swallowed.delete(key);
    if (proves) outgoing.setHeader('etag', `"${createHash('md5').update(content).digest('hex')}"`);
    if (fate === 'dies-after') die();
    if (fate === 'lost' || life.dead) return void outgoing.destroy();
    answer(200);
  };

  const dying =
    (write: Commit, of: Life): Commit =>
    async (work) => {
      if (of.dead) throw gone();
      const fate = next();
      if (fate === 'dies-before') {
        // The disk is slow: writes that do not wait for it continue in the meantime.
        await setTimeout(SLOW_COMMIT_MS);
        of.dead = true;
      }
      if (of.dead) throw gone();
      const answer = await write(work);
      if (fate === 'dies-after') of.dead = true;
      if (of.dead) throw gone();
      return answer;
    };

  const server = createServer((incoming, outgoing) => {
    const answer = put(incoming, outgoing).finally(() => answering.delete(answer));
    answering.add(answer);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${portOf(server)}`;

  return {
    held,
    swallowed,
    hasSwallowed: (fileName, sha256) => everSwallowed.has(`${fileName} ${sha256}`),
    service: {
      signUpload: ({ AssignmentId, FileName }) =>
        call(() => {
          const Key = reusesKeys ? `key-of-${FileName}` : `key-${keys++}`;
          names.set(Key, FileName);
          expired.delete(Key);
          return { AssignmentId, Key, Url: `${baseUrl}/${Key}` };
        }),
      removeFile: ({ AssignmentId, Key }) =>
        call(() => {
          if (!held.delete(Key)) throw new DeskError('service/not-found', 'not there');
          const Files = [...held.keys()].map((key) => ({
            Key: key,
            FileName: names.get(key) ?? '',
            UploadedBy: 'CONTRACTOR',
          }));
          return { AssignmentId, FacilityId: '', Files };
        }),
    },
    mortal: (ledger, of) => ({
      ...ledger,
      commit: dying(ledger.commit, of),
      commitUnsynced: dying(ledger.commitUnsynced, of),
      commitLazily: dying(ledger.commitLazily, of),
    }),
    begin: (next, ahead) => {
      life = next;
      fates = [...ahead];
    },
    hasFatesLeft: () => fates.length > 0,
    quiet: async () => void (await Promise.allSettled(answering)),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

/** The sha256 in hex. */
export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * The error of the steps of a dead process. Like the error of a closed database, it stops everything and is not
 * recorded.
 */
const gone = (): DeskError => new DeskError('app/cancelled', 'the process is dead');
