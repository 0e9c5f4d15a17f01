/** Starting the embedded sandbox, in whatever kind of process a host can start. */
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { DeskError } from '../contract/errors.ts';
import type { Host } from './host.ts';

/** A started process that runs `src/sandbox/main.ts`. */
export type SampleProcess = {
  readonly stdout: NodeJS.ReadableStream;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  readonly stop: () => void;
};

/** The line the sandbox prints when it listens. */
const Listening = z.object({ port: z.int(), baseUrl: z.string(), authUrl: z.string(), clientId: z.string() });
type Listening = z.infer<typeof Listening>;

/**
 * `Host.startSample` over `start`, which starts the sandbox with the given flags. A wanted port that is taken is
 * given up for any free one. Rejects with `service/unreachable` when the sandbox ends before it listens.
 */
export const createStartSample =
  (start: (flags: readonly string[]) => SampleProcess): Host['startSample'] =>
  async (stateDir, wantedPort) => {
    const startOn = async (port: number) => {
      const process = start(['--state', stateDir, '--port', String(port)]);
      return { process, listening: await readListening(process) };
    };
    const first = await startOn(wantedPort ?? 0);
    const { process, listening } = first.listening === undefined && wantedPort !== undefined ? await startOn(0) : first;
    if (listening === undefined) throw new DeskError('service/unreachable', 'the sample service did not start');
    const close = () => {
      process.stop();
      return process.ended;
    };
    return { ...listening, close };
  };

const readListening = (process: SampleProcess): Promise<Listening | undefined> =>
  new Promise((resolve) => {
    const lines = createInterface(process.stdout);
    lines.once('line', (line) => resolve(parseListening(line)));
    void process.ended.then(() => resolve(undefined));
  });

const parseListening = (line: string): Listening | undefined => {
  try {
    return Listening.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
};
