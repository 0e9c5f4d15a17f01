/**
 * Where a recorded session happens: the app's data directory, whose disk may lose what was not flushed; the world around it, which loses
 * nothing: the service with its storage, the keychain, and what the app has promised; and the office's folders, which stay as the session
 * has left them, because the app knows files by what no copy has.
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

/** What the app has said, or a file that a person has asked for. */
export type Promised =
  | { readonly what: 'world'; readonly port: number; readonly assignments: readonly string[] }
  | { readonly what: 'signed-in' | 'chosen' }
  /** Before it is set, and once it is. */
  | { readonly what: 'limit-asked' | 'limit'; readonly bytesPerSecond: number }
  | {
      readonly what: 'started' | 'finished' | 'cancelled';
      readonly batchId: string;
      readonly root: string;
      readonly AssignmentId: string;
    }
  | { readonly what: 'plan-after'; readonly AssignmentId: string; readonly PlanAfter: number }
  | { readonly what: 'watched'; readonly root: string; readonly AssignmentId: string };

/** What the app has said that it cannot do, at a step of the session; `stack`: of what is no `DeskError`. */
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

/** A file of one JSON a line. */
const linesIn = <T>(path: string) => ({
  add: (one: T): void => appendFileSync(path, `${JSON.stringify(one)}\n`),
  all: (): readonly T[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
      : [],
});

/** The world of `place`, as it was left. `port`: undefined for the first time. */
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

/** The app in `place`, and a keychain beside it. */
export const openApp = async ({ home, world }: Place, sandbox: Sandbox): Promise<Desk> => {
  makeHome(home);
  const secrets = join(world, 'keychain.json');
  const stored: readonly [string, string][] = existsSync(secrets) ? JSON.parse(readFileSync(secrets, 'utf8')) : [];
  const keychain = createTestKeychain(new Map(stored), (all) => writeFileSync(secrets, JSON.stringify([...all])));
  const host = createTestHost(await createHostSpeech('en'), { home, sandbox, keychain });
  return createDesk(host, { concurrency: 3, listLagMs: 0, watching: { times: TIMES } });
};

/** The content of a file of the office. */
export const contentOf = (name: string, version: number): string =>
  `${name} ${version}\n`.repeat(1 + ((name.length * 37 + version) % 90) * 20);
