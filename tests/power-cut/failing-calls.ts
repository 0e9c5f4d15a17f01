/**
 * Makes system calls fail that the session (session.ts) makes on the data directory: any call, with each of the errors
 * that ERRORS lists for it. Either only this call fails, or all later calls that can fail with this error fail, too.
 * The app has to report the failure, and nothing else may go wrong. When the app is then opened on a working disk, the
 * result has to be the same as without a failure.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { createRandom } from '../../src/sandbox/sample/sample-data.ts';
import { program } from '../integration/support/runtime.ts';
import { continueIn } from './check.ts';
import { type Place, placeIn } from './place.ts';

/** The errors with which each kind of call (fail-call.c) is made to fail. */
const ERRORS = {
  open: ['EIO', 'EMFILE'],
  create: ['EIO', 'ENOSPC', 'EMFILE'],
  read: ['EIO'],
  write: ['EIO', 'ENOSPC'],
  truncate: ['EIO'],
  flush: ['EIO', 'ENOSPC'],
  rename: ['EIO', 'ENOSPC'],
  unlink: ['EIO'],
  mkdir: ['EIO', 'ENOSPC'],
  chmod: ['EIO'],
  list: ['EIO', 'EMFILE'],
  map: ['ENOMEM'],
} as const;
type Kind = keyof typeof ERRORS;
const KINDS = Object.keys(ERRORS) as Kind[];

export type Failure = {
  readonly kind: Kind;
  /** The path below the data directory. `*` replaces the parts that differ from session to session. */
  readonly file: string;
  /** The number of the call among those of this kind on this file, from 1. */
  readonly number: number;
  readonly error: string;
  /**
   * `on`: all later calls that can have this error fail, too. Calls on the log do not fail, because the log shows what
   * has gone wrong.
   */
  readonly lasts: 'once' | 'on';
};

/** Returns a failure as text, such as "flush ledger.sqlite-wal 3 EIO once". */
export const failureText = ({ kind, file, number, error, lasts }: Failure): string =>
  `${kind} ${file} ${number} ${error} ${lasts}`;

/** Parses a text of `failureText`. */
export const failureFrom = (text: string): Failure => {
  const [, kind, file = '', number, error = '', lasts] = /^(\w+) (\S+) (\d+) (\w+) (once|on)$/.exec(text) ?? [];
  if (!KINDS.includes(kind as Kind)) throw new Error(`not a failure of a call: ${text}`);
  return { kind: kind as Kind, file, number: Number(number), error, lasts: lasts as Failure['lasts'] };
};

export type FailureResult = {
  readonly failure: Failure;
  /** Whether the session has made this call. */
  readonly happened: boolean;
  /** The errors that the app has reported. */
  readonly said: readonly string[];
  /** One line for each problem; empty if there is none. */
  readonly problems: readonly string[];
};

/** The number of concurrent sessions. Each session waits for half of its time. */
const AT_ONCE = 3;
/** The timeout of a session. A session takes five seconds, but longer on a busy machine. */
const SESSION_MS = 300_000;

/**
 * Runs a session for each failure. `wanted`: the failures, or the number of possible failures that `seed` chooses (all,
 * if there are fewer). Each kind of call on each file is chosen once before any is chosen a second time. Calls
 * `onFailure` with each result. Resolves to the number of possible failures.
 */
export const runFailures = async (
  { seed, wanted }: { readonly seed: number; readonly wanted: number | readonly Failure[] },
  onFailure: (result: FailureResult) => void,
): Promise<number> => {
  const directory = mkdtempSync(join(tmpdir(), 'desk-failing-calls-'));
  try {
    const library = join(directory, 'fail-call.so');
    const source = fileURLToPath(new URL('fail-call.c', import.meta.url));
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
    const run = (name: string, failure?: Failure): Promise<Session> => {
      mkdirSync(join(directory, name));
      return runSession(join(directory, name), library, failure);
    };
    const { calls, place, problems } = await run('recorded');
    if (problems.length + place.said().length > 0)
      throw new Error(`the session fails: ${JSON.stringify([problems, place.said()])}`);
    const possible = failuresOf(calls);
    const left = (typeof wanted === 'number' ? chosen(possible, seed).slice(0, wanted) : wanted).entries();
    const work = async (): Promise<void> => {
      for (const [at, failure] of left) {
        onFailure(await judge(failure, await run(`${at}`, failure)));
        rmSync(join(directory, `${at}`), { recursive: true });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return possible.length;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

type Session = { readonly place: Place; readonly calls: readonly string[]; readonly problems: readonly string[] };

const runSession = async (directory: string, library: string, failure?: Failure): Promise<Session> => {
  const place = placeIn(join(directory, 'place'));
  mkdirSync(join(directory, 'place'));
  const log = join(directory, 'calls');
  const child = spawn(process.execPath, [program('tests/power-cut/session.ts'), join(directory, 'place')], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: {
      ...process.env,
      // Without this setting, threads of the kernel may access files without a system call.
      UV_USE_IO_URING: '0',
      LD_PRELOAD: library,
      FAIL_ROOT: place.home,
      FAIL_LOG: log,
      ...(failure && { FAIL_CALL: callOf(failure) }),
    },
    timeout: SESSION_MS,
    killSignal: 'SIGKILL',
  });
  const [stderr, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const calls = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
  const problems = [
    ...(signal === null ? [] : ['the session does not end']),
    ...(code === 0 || signal !== null ? [] : [`the session crashes: ${stderr}`]),
  ];
  return { place, calls, problems };
};

/** Returns the failure in the form that fail-call.c reads. */
const callOf = ({ kind, file, number, error, lasts }: Failure): string => {
  const later = lasts === 'on' ? KINDS.filter((one) => ERRORS[one].some((possible) => possible === error)) : ['-'];
  return [kind, file, number, constants.errno[error as keyof typeof constants.errno], later.join(',')].join(' ');
};

/** The parts of a path that differ from session to session. */
const RANDOM = /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16}/g;

const failuresOf = (calls: readonly string[]): readonly Failure[] => {
  const counts = new Map<string, number>();
  return calls.flatMap((call): readonly Failure[] => {
    const key = call.replaceAll(RANDOM, '*');
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    const [kind, file] = key.split(' ') as [Kind, string];
    return ERRORS[kind].flatMap((error) =>
      (['once', 'on'] as const).map((lasts) => ({ kind, file, number, error, lasts })),
    );
  });
};

const chosen = (failures: readonly Failure[], seed: number): readonly Failure[] => {
  const random = createRandom(seed, 'failing-calls');
  const shuffled = failures.map((failure) => ({ failure, place: random.integer(0, 2 ** 31) }));
  shuffled.sort((one, other) => one.place - other.place);
  const counts = new Map<string, number>();
  const rounds = shuffled.map(({ failure }) => {
    const key = `${failure.kind} ${failure.file}`;
    const round = counts.get(key) ?? 0;
    counts.set(key, round + 1);
    return { failure, round };
  });
  return rounds.sort((one, other) => one.round - other.round).map(({ failure }) => failure);
};

/** The codes with which the app may report a failing disk. */
const FITTING: ReadonlySet<ErrorCode> = new Set(['data/unwritable', 'data/unsynced']);

/**
 * Whether data may be unreadable or lost after the failure. SQLite reports unreadable data as damage, and changes that
 * were not flushed may be lost.
 */
const mayHideData = ({ kind, error, lasts }: Failure): boolean =>
  kind === 'flush' || (error === 'EIO' && (kind === 'read' || lasts === 'on'));
const FITTING_IF_HIDDEN: ReadonlySet<ErrorCode> = new Set(['data/corrupt', 'data/left-out', 'vault/unreadable']);

/**
 * Whether `code` may be reported because the failed flush still took effect. An upload that is already being cancelled,
 * for example, cannot be resumed.
 */
const mayStand = ({ kind }: Failure, code: ErrorCode | undefined): boolean =>
  kind === 'flush' && code === 'upload/batch-state';

/** Whether the app can continue without a restart. */
const canContinue = ({ kind, lasts }: Failure): boolean => lasts === 'once' && kind !== 'flush';

const judge = async (failure: Failure, { place, calls, problems }: Session): Promise<FailureResult> => {
  const said = place.said();
  const fits = (code: ErrorCode | undefined): boolean =>
    code !== undefined && (FITTING.has(code) || (mayHideData(failure) && FITTING_IF_HIDDEN.has(code)));
  const unfitting = said.filter(({ error }) => !fits(error.code) && !mayStand(failure, error.code));
  const unexpected = logged(place).filter(({ code }) => !fits(code));
  const stuck = canContinue(failure) ? said.filter(({ step }) => step.startsWith('resume')) : [];
  // Removes the log, so that the next start writes a new one.
  rmSync(join(place.home, 'logs'), { recursive: true, force: true });
  return {
    failure,
    happened: calls.length > 0,
    said: said.map(({ step, error }) => `${step}: ${error.code}`),
    problems: [
      ...problems,
      ...unfitting.map((one) => `said: ${JSON.stringify(one)}`),
      ...stuck.map(({ step }) => `cannot ${step}`),
      ...new Set(unexpected.map((one) => `logged: ${JSON.stringify(one)}`)),
      ...(problems.length > 0 || place.promised().length === 0 ? [] : await continueIn(place)),
    ],
  };
};

/** Returns the logged errors of operations that nothing waited for. */
const logged = ({ home }: Place): readonly { readonly code?: ErrorCode }[] => {
  const log = join(home, 'logs', 'inspection-desk.log');
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines.filter((line) => /"event":"(bug|background)"/.test(line)).map((line) => JSON.parse(line).error);
};
