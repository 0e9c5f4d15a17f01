import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { DeskError } from '../../../contract/errors.ts';
import type { Desk } from '../../core/desk.ts';
import type { Host, SampleService } from '../../core/host.ts';
import { jsonIn } from '../../net/translate.ts';

type SampleProcess = {
  readonly stdout: NodeJS.ReadableStream;
  readonly ended: Promise<void>;
  readonly stop: () => void;
};

const Listening = z.object({ port: z.int(), baseUrl: z.string(), authUrl: z.string(), clientId: z.string() });
type Listening = z.infer<typeof Listening>;

/**
 * Creates a `Host.startSample`. `start` starts a process that runs the sandbox with the given flags. If the sandbox
 * does not start on `wantedPort`, it is started on any free port. Rejects with `service/unreachable` if it does not
 * start at all.
 */
export const createStartSample =
  (start: (flags: readonly string[]) => SampleProcess): Host['startSample'] =>
  async (stateDir, wantedPort) => {
    const startOn = async (port: number): Promise<SampleService | undefined> => {
      const process = start(['--state', stateDir, '--discard-content', '--dates', 'today', '--port', String(port)]);
      const { ended } = process;
      const close = () => {
        process.stop();
        return ended;
      };
      const listening = await readListening(process);
      if (listening !== undefined) return { ...listening, ended, close };
      await close();
      return undefined;
    };
    const service = (await startOn(wantedPort ?? 0)) ?? (wantedPort === undefined ? undefined : await startOn(0));
    if (service === undefined) throw new DeskError('service/unreachable', 'the sample service did not start');
    return service;
  };

const readListening = (process: SampleProcess): Promise<Listening | undefined> =>
  new Promise((resolve) => {
    const lines = createInterface(process.stdout);
    lines.once('line', (line) => resolve(Listening.safeParse(jsonIn(line)).data));
    void process.ended.then(() => resolve(undefined));
  });

const sandbox = fileURLToPath(new URL('../../../sandbox/main.ts', import.meta.url));

export const spawnSample = createStartSample((flags) => {
  // The sandbox ends when its standard input is closed. The system closes it even if this process is killed.
  const child = spawn(process.execPath, [sandbox, ...flags, '--parent-stdin'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(
    () => undefined,
    () => undefined,
  );
  return { stdout: child.stdout, ended, stop: () => void child.stdin.end() };
});

/**
 * Connects a desk to the embedded service, for `--sample`, unless the desk has a connection already. If sample data is
 * turned off, the desk stays without a connection and shows a notice.
 */
export const useSampleWhenUnset = async ({ handlers, snapshot }: Desk): Promise<void> => {
  if (snapshot().connection !== undefined) return;
  try {
    await handlers.connection.useSample(undefined);
  } catch (error) {
    if (!(error instanceof DeskError && error.code === 'connection/sample-off')) throw error;
  }
};
