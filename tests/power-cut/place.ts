/**
 * The place of a recorded session, in three folders. `home`: the app's data directory, whose disk may lose unflushed
 * changes. `world`: the service with its storage, the keychain, and the promises of the app; it loses nothing.
 * `office`: the folders that are uploaded; they stay as the session has left them, because the app identifies files by
 * facts that a copy does not have.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type ErrorData, toErrorData } from '../../src/contract/errors.ts';
import { createDesk, type Desk } from '../../src/main/core/desk.ts';
import { makeHome } from '../../src/main/data/data-directory.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { createSandboxControl, type SandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { createHostSpeech } from '../../src/words/speech.ts';
import { createTestHost, createTestKeychain } from '../integration/support/test-host.ts';

/** A promise of the app, such as a finished upload, or a value that the user has requested. */
export type Promised =
  | { readonly what: 'world'; readonly port: number; readonly assignments: readonly string[] }
  | { readonly what: 'signed-in' | 'chosen' }
  /** `limit-asked` is recorded before the limit is set, `limit` afterwards. */
  | { readonly what: 'limit-asked' | 'limit'; readonly bytesPerSecond: number }
  | {
      readonly what: 'started' | 'finished' | 'cancelled';
      readonly batchId: string;
      readonly root: string;
      readonly AssignmentId: string;
    }
  | { readonly what: 'plan-after'; readonly AssignmentId: string; readonly PlanAfter: number }
  | { readonly what: 'watched'; readonly root: string; readonly AssignmentId: string };

/** An error that the app has reported at a step of the session. `stack`: only for errors other than `DeskError`. */
export type Said = { readonly step: string; readonly error: ErrorData; readonly stack?: string | undefined };

export type Place = ReturnType<typeof placeIn>;

export const placeIn = (directory: string) => {
  const [home, world, office] = [join(directory, 'home'), join(directory, 'world'), join(directory, 'office')];
  const promises = linesIn<Promised>(join(world, 'promises.jsonl'));
  const refusals = linesIn<Said>(join(world, 'said.jsonl'));
  return {
    home,
    world,
    office,
    promise: promises.add,
    promised: promises.all,
    say: (step: string, error: unknown): void => {
      const data = toErrorData(error);
      refusals.add({ step, error: data, ...(data.code === 'app/bug' && { stack: inspect(error) }) });
    },
    said: refusals.all,
  };
};

/** Reads and appends the lines of a file, each of which is JSON. */
const linesIn = <T>(path: string) => ({
  add: (one: T): void => appendFileSync(path, `${JSON.stringify(one)}\n`),
  all: (): readonly T[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
      : [],
});

/** Starts the service with the data in `place`. `port`: the earlier port; undefined for the first start. */
export const openWorld = async (
  { world }: Place,
  port?: number,
): Promise<{ readonly sandbox: Sandbox; readonly control: SandboxControl }> => {
  const sandbox = await startSandbox({
    consent: 'auto',
    stateDir: join(world, 'service'),
    protocols: 12,
    ...(port && { port }),
  });
  return { sandbox, control: createSandboxControl(sandbox) };
};

const TIMES = { settleMs: 20, scanMs: 150, blindScanMs: 150, missingMs: 100, gatherMs: 60, tickMs: 15 };

/** Opens the app in `place`, with the keychain of its world. */
export const openApp = async ({ home, world }: Place, sandbox: Sandbox): Promise<Desk> => {
  makeHome(home);
  const secrets = join(world, 'keychain.json');
  const stored: readonly [string, string][] = existsSync(secrets) ? JSON.parse(readFileSync(secrets, 'utf8')) : [];
  const keychain = createTestKeychain(new Map(stored), (all) => writeFileSync(secrets, JSON.stringify([...all])));
  const host = createTestHost(await createHostSpeech('en'), { home, sandbox, keychain });
  return createDesk(host, { concurrency: 3, listLagMs: 0, watching: { times: TIMES } });
};

/** Returns the content of a file of the office in this version. */
export const contentOf = (name: string, version: number): string =>
  `${name} ${version}\n`.repeat(1 + ((name.length * 37 + version) % 90) * 20);
