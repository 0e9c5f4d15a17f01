/**
 * Where a recorded session happens: the app's data directory, whose disk may lose what was not flushed; the world around it, which loses
 * nothing: the service with its storage, the keychain, and what the app has promised; and the office's folders, which stay as the session
 * has left them, because the app knows files by what no copy has.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDesk, type Desk } from '../../src/main/core/desk.ts';
import { createSandboxControl, type SandboxControl } from '../../src/sandbox/control-client.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { createHostSpeech } from '../../src/words/speech.ts';
import { createTestHost, createTestKeychain } from '../integration/support/test-host.ts';

/** What the app has said, or a file that a person has asked for. */
export type Promised =
  | { readonly what: 'world'; readonly port: number; readonly assignments: readonly string[] }
  | { readonly what: 'signed-in' | 'limit' | 'chosen' }
  | {
      readonly what: 'started' | 'finished' | 'cancelled';
      readonly batchId: string;
      readonly root: string;
      readonly AssignmentId: string;
    }
  | { readonly what: 'plan-after'; readonly AssignmentId: string; readonly PlanAfter: number }
  | { readonly what: 'watched'; readonly root: string; readonly AssignmentId: string };

export type Place = ReturnType<typeof placeIn>;

export const placeIn = (directory: string) => {
  const [home, world, office] = [join(directory, 'home'), join(directory, 'world'), join(directory, 'office')];
  const promises = join(world, 'promises.jsonl');
  return {
    ...{ home, world, office },
    promise: (promised: Promised): void => appendFileSync(promises, `${JSON.stringify(promised)}\n`),
    promised: (): readonly Promised[] =>
      existsSync(promises)
        ? readFileSync(promises, 'utf8')
            .split('\n')
            .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
        : [],
  };
};

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
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const secrets = join(world, 'keychain.json');
  const stored: readonly [string, string][] = existsSync(secrets) ? JSON.parse(readFileSync(secrets, 'utf8')) : [];
  const keychain = createTestKeychain(new Map(stored), (all) => writeFileSync(secrets, JSON.stringify([...all])));
  const host = createTestHost(await createHostSpeech('en'), { home, sandbox, keychain });
  return createDesk(host, { concurrency: 3, listLagMs: 0, watching: { times: TIMES } });
};

/** The content of a file of the office. */
export const contentOf = (name: string, version: number): string =>
  `${name} ${version}\n`.repeat(1 + ((name.length * 37 + version) % 90) * 20);
