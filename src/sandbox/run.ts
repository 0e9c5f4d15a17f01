/** Runs the sandbox as a process: it reads flags, prints one line of JSON, and ends with an exit code. */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { readFaultFile } from './faults/fault-plan.ts';
import { resolveOptions, type SandboxOptions } from './routes/service.ts';
import { startSandbox } from './server.ts';

const usage = `Usage: sandbox [options]

  --port N                  port on 127.0.0.1 (default: any free one)
  --state DIR               keep everything in this folder (default: in memory)
  --protocols N             number of sample protocols (default 240)
  --seed N                  seed of the sample data (default 1)
  --dates fixed|today       assignments around a fixed day, or around today (default fixed)
  --faults FILE.json        fault rules from the start (see src/sandbox/README.md)
  --consent page|auto       show the consent page, or allow at once (default page)
  --access-token-ttl S      seconds an access token lives (default 3600)
  --refresh-token-ttl S     seconds a refresh token lives (default 2592000)
  --signed-url-ttl S        seconds a signed Url can be used (default 900)
  --storage-base-url URL    sign Urls of another storage: URL/storage/{Key} (default: the sandbox's own)
  --page-size N             protocols in a page (default 50)
  --max-object-bytes N      largest upload (default 5368709120)
  --discard-content         store the size and hash of uploads, not their bytes
  --client-id ID            accepted client, repeatable (default inspection-desk)
  --redirect-uri URI        accepted redirect, repeatable (default: the app's scheme, loopback)
  --control-token SECRET    secret of the control endpoints (default: a new one)
  --parent-stdin            stop when standard input ends
  --help`;

/** For each flag that sets one setting: the name of the setting, and the function that reads the flag's text. */
const settingOf = {
  port: ['port', Number],
  state: ['stateDir', String],
  protocols: ['protocols', Number],
  seed: ['seed', Number],
  dates: ['dates', String],
  consent: ['consent', String],
  'access-token-ttl': ['accessTokenTtlS', Number],
  'refresh-token-ttl': ['refreshTokenTtlS', Number],
  'signed-url-ttl': ['signedUrlTtlS', Number],
  'storage-base-url': ['storageBaseUrl', String],
  'page-size': ['pageSize', Number],
  'max-object-bytes': ['maxObjectBytes', Number],
  'control-token': ['controlToken', String],
} as const satisfies Readonly<
  Record<string, readonly [setting: keyof SandboxOptions, read: (text: string) => unknown]>
>;

const textFlags = Object.fromEntries(Object.keys(settingOf).map((flag) => [flag, { type: 'string' } as const]));

/**
 * Parses the flags `args`, which do not include the program's name; undefined if `--help` is among them. `faultFile`:
 * the path of the fault file, which is not read here. Throws an error with a one-line message if a flag is wrong.
 */
export const parseSandboxArgs = (args: readonly string[]) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...textFlags,
      faults: { type: 'string' },
      'client-id': { type: 'string', multiple: true },
      'redirect-uri': { type: 'string', multiple: true },
      'discard-content': { type: 'boolean' },
      'parent-stdin': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return undefined;
  const given = Object.entries(settingOf).map(([flag, [setting, read]]) => {
    const text = (values as Readonly<Record<string, unknown>>)[flag];
    return [setting, typeof text === 'string' ? read(text) : undefined];
  });
  const settings = resolveOptions({
    ...Object.fromEntries(given),
    discardsContent: values['discard-content'],
    clientIds: values['client-id'],
    redirectUris: values['redirect-uri'],
  });
  return { settings, faultFile: values.faults, stopsWithStdin: values['parent-stdin'] ?? false };
};

/**
 * Runs a sandbox until it is stopped. Once the sandbox listens, one line of JSON is written to standard output:
 * `{"type":"listening","port":…,"baseUrl":…,"authUrl":…,"clientId":…,"controlToken":…}`. The sandbox stops on SIGTERM
 * or SIGINT, when `signal` is aborted, when an IPC parent disconnects and, with `--parent-stdin`, when standard input
 * ends. Resolves to the exit code: 0 if it was stopped or showed its help, 4 if the port is not available, 2 after any
 * other failure, such as wrong flags. For 2 and 4, a one-line reason is written to standard error.
 */
export const runSandbox = async (args: readonly string[], signal?: AbortSignal): Promise<number> => {
  let stop: ReturnType<typeof awaitStop> | undefined;
  try {
    const command = parseSandboxArgs(args);
    if (command === undefined) {
      process.stdout.write(`${usage}\n`);
      return 0;
    }
    const { settings, faultFile, stopsWithStdin } = command;
    // Called before the sandbox starts, so that a signal does not end the process by its default action.
    stop = awaitStop(stopsWithStdin, signal);
    const faults = faultFile === undefined ? [] : await readFaultFile(faultFile);
    const { close, ...address } = await startSandbox({ ...settings, faults });
    process.stdout.write(`${JSON.stringify({ type: 'listening', ...address })}\n`);
    await stop.requested;
    await close();
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`sandbox: ${message.split('\n', 1)[0]}\n`);
    return error instanceof Error && 'syscall' in error && error.syscall === 'listen' ? 4 : 2;
  } finally {
    stop?.dispose();
  }
};

const awaitStop = (stopsWithStdin: boolean, asked?: AbortSignal) => {
  const waiting = new AbortController();
  const { signal } = waiting;
  const reasons: Promise<unknown>[] = [once(process, 'SIGTERM', { signal }), once(process, 'SIGINT', { signal })];
  if (asked) reasons.push(asked.aborted ? Promise.resolve() : once(asked, 'abort', { signal }));
  if (process.connected) reasons.push(once(process, 'disconnect', { signal }));
  if (stopsWithStdin) {
    reasons.push(once(process.stdin, 'end', { signal }), once(process.stdin, 'close', { signal }));
    process.stdin.resume();
  }
  return {
    // If standard input breaks, its promise rejects. The parent process has then ended, so the sandbox has to stop as
    // well.
    requested: Promise.race(reasons).catch(() => undefined),
    dispose: (): void => {
      waiting.abort();
      if (stopsWithStdin) process.stdin.pause();
    },
  };
};
