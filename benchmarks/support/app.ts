/**
 * Runs the app as it is measured: the command line in a separate process, signed in by a service that consents
 * automatically.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };
import type { Sandbox } from '../../src/sandbox/server.ts';
import { cpuSecondsOf, endedChildrenCpuSeconds } from './cpu.ts';

const main = fileURLToPath(new URL('../../src/main/hosts/headless/main.mjs', import.meta.url));
/** The options of Node in `npm run cli`. */
const nodeOptions = manifest.scripts.cli.split(' ').filter((word) => word.startsWith('--'));
const probe = fileURLToPath(new URL('event-loop-probe.ts', import.meta.url));

const SAMPLE_INTERVAL_MS = 100;

export type AppRun = {
  readonly command: readonly string[];
  readonly sandbox: Sandbox;
  /** A certificate to trust in addition to the usual authorities. */
  readonly caFile?: string | undefined;
  readonly home: string;
  /** Whether to measure the event loop's delay in the main thread, which slows the process down a little. */
  readonly probed?: boolean;
};

export type AppResult = {
  /** The time from the consent to the summary: everything the app does for the upload. */
  readonly seconds: number;
  /** The time from the summary to the end of the process. */
  readonly closeSeconds: number;
  /** The time from the start of the process to its request to sign in. */
  readonly startSeconds: number;
  /** The processor time of the process after the consent, and before it. */
  readonly cpuSeconds: number;
  readonly startCpuSeconds: number;
  /** When the process was started, by `performance.now()`. */
  readonly startedMs: number;
  /** The resident memory while the process waited for the sign-in, and its maximum afterwards. */
  readonly idleBytes: number;
  readonly peakBytes: number;
  /** The 99th percentile of the event loop's delay; absent if it was not measured. */
  readonly delayP99Ms?: number;
};

export const appArguments = ({ command, sandbox, home, probed = false }: AppRun): readonly string[] => {
  const connection = ['--base-url', sandbox.baseUrl, '--auth-url', sandbox.authUrl, '--client-id', sandbox.clientId];
  const common = ['--home', home, '--token-store', 'memory', '--no-browser', ...connection];
  return [...nodeOptions, ...(probed ? ['--import', probe] : []), main, ...command, ...common];
};

/** Runs an upload command to its end. Throws unless all files were uploaded. */
export const runApp = async (run: AppRun): Promise<AppResult> => {
  const { caFile, home, probed = false } = run;
  const delayFile = join(home, 'event-loop-delay.json');
  const startedMs = performance.now();
  const othersCpuSeconds = endedChildrenCpuSeconds();
  const child = spawn(process.execPath, appArguments(run), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      EVENT_LOOP_DELAY_FILE: delayFile,
      ...(caFile && { NODE_EXTRA_CA_CERTS: caFile }),
    },
  });
  const ended = once(child, 'close');
  const memory = watchMemory(child);
  let words = '';
  let askedMs: number | undefined;
  let startCpuSeconds = 0;
  let summaryMs: number | undefined;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text;
    const asked = /^http\S+\/authorize\?\S+$/m.exec(words);
    if (askedMs === undefined && asked) {
      askedMs = performance.now();
      startCpuSeconds = cpuSecondsOf(child.pid) ?? 0;
      memory.reset();
      // Begins the measurement of the delay again, because the upload begins here.
      if (probed) child.kill('SIGUSR2');
      fetch(asked[0]).then((page) => page.text());
    }
    if (/ files? uploaded/.test(words)) summaryMs ??= performance.now();
  });
  const [exitCode] = await ended;
  const endedMs = performance.now();
  const { idleBytes, peakBytes } = memory.stop();
  if (exitCode !== 0 || askedMs === undefined || summaryMs === undefined) {
    throw new Error(`the app ended with ${exitCode}: ${words.replaceAll(/http\S+/g, '…')}`);
  }
  return {
    seconds: (summaryMs - askedMs) / 1000,
    closeSeconds: (endedMs - summaryMs) / 1000,
    startSeconds: (askedMs - startedMs) / 1000,
    cpuSeconds: endedChildrenCpuSeconds() - othersCpuSeconds - startCpuSeconds,
    startCpuSeconds,
    startedMs,
    idleBytes,
    peakBytes,
    ...(probed && { delayP99Ms: JSON.parse(readFileSync(delayFile, 'utf8')).p99Ms }),
  };
};

/** The options of an upload that never leaves room for other traffic. */
export const AT_FULL_SPEED = ['--leave-room', 'never'] as const;

/** Uploads a folder from an empty data directory below `dir`. */
export const uploadFresh = async (
  dir: string,
  run: Pick<AppRun, 'sandbox' | 'caFile' | 'probed'> & { readonly root: string; readonly assignment: string },
): Promise<AppResult> => {
  const { root, assignment, ...rest } = run;
  const home = mkdtempSync(join(dir, 'home-'));
  try {
    return await runApp({ ...rest, home, command: ['upload', root, '--assignment', assignment, ...AT_FULL_SPEED] });
  } finally {
    rmSync(home, { recursive: true });
  }
};

/** Samples the resident memory of a process; `reset` begins a new measurement. */
const watchMemory = ({ pid }: ChildProcess) => {
  let idleBytes = 0;
  let peakBytes = 0;
  const sample = (): void => {
    peakBytes = Math.max(peakBytes, residentBytes(pid) ?? 0);
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  return {
    reset: (): void => {
      idleBytes = residentBytes(pid) ?? 0;
      peakBytes = idleBytes;
    },
    stop: () => {
      clearInterval(timer);
      return { idleBytes, peakBytes };
    },
  };
};

/** The resident memory of the process, in bytes; undefined once the process has ended. */
const residentBytes = (pid: number | undefined): number | undefined => {
  try {
    const kB = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kB === undefined ? undefined : Number(kB) * 1024;
  } catch {
    return undefined;
  }
};
