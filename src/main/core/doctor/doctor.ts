/** Checks whether the app can work with this computer, network and service, and saves a file for support. */

import { createReadStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { countBy } from 'es-toolkit/array/countBy';
import { once } from 'es-toolkit/function/once';
import { sumBy } from 'es-toolkit/math/sumBy';
import { attempt } from 'es-toolkit/util/attempt';
import { strToU8, Zip, type ZipInputFile } from 'fflate/browser';
import { isConnectionRefusal } from '../../../contract/connection.ts';
import type { CrashDump, DoctorCheck, DoctorReport } from '../../../contract/doctor.ts';
import { codeOf, type ErrorData, fromErrorData } from '../../../contract/errors.ts';
import { reportText } from '../../../words/doctor-text.ts';
import { createHostSpeech } from '../../../words/speech.ts';
import { wallNow } from '../../async/clock.ts';
import { crashFolder, KEPT_DUMPS, readCrashDumps } from '../../data/crash-dumps.ts';
import { FILE_MODE, replaceFile } from '../../data/files.ts';
import { jsonIn, redact } from '../../net/translate.ts';
import { createTrust } from '../../net/trust.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { ConnectionServices } from '../connection/connections.ts';
import type { Dispatchers } from '../connection/dispatchers.ts';
import type { Host } from '../host.ts';
import { type Log, logText, safeValue } from '../log/log.ts';
import {
  type Barrier,
  type CheckedHost,
  checkComputer,
  checkHost,
  checkService,
  checkStorage,
  followed,
  found,
  type HostAccess,
  runCheck,
} from './checks.ts';

type DoctorParts = {
  readonly host: Pick<Host, 'home' | 'version' | 'keychain'>;
  readonly settings: SettingsStore;
  readonly dispatchers: Dispatchers;
  readonly connected: () => ConnectionServices;
  readonly notices: () => readonly ErrorData[];
  readonly log: Pick<Log, 'write'>;
};

export type Doctor = ReturnType<typeof createDoctor>;

export const createDoctor = (parts: DoctorParts) => {
  const { host, dispatchers, connected, log } = parts;
  let last: DoctorReport | undefined;
  /**
   * Runs the checks. The checks of the network run only if there is a connection. Does not sign in. Errors:
   * `app/cancelled`.
   */
  const run = async (signal: AbortSignal): Promise<DoctorReport> => {
    const services = presentServices(connected);
    const [computer, data, network] = await Promise.all([
      checkComputer({ ...host, uncheckedTls: dispatchers.uncheckedTls }, signal),
      checkData(parts, signal),
      services ? checkNetwork(dispatchers, services, signal) : [],
    ]);
    last = reportOf(host.version, [...computer, ...data, ...network], readCrashDumps(host.home));
    const wrong = last.checks.filter(({ state }) => state === 'failed' || state === 'warning');
    log.write('doctor', {
      ok: last.ok,
      wrong: wrong.map(({ check, host: at, error }) => ({ check, host: at, code: error?.code })),
    });
    return last;
  };
  return {
    run,
    /**
     * Saves a zip file for support at `path`, with the last report, or a new one if there is none. Adds crash dumps,
     * which may contain secrets, only if `content` says so. Errors: `data/unwritable`.
     */
    saveBundle: async (path: string, content: BundleContent): Promise<void> =>
      saveBundle(parts, last ?? (await run(new AbortController().signal)), path, content),
  };
};

export const reportOf = (
  version: string,
  checks: readonly DoctorCheck[],
  crashDumps: readonly CrashDump[],
): DoctorReport => ({
  ok: checks.every(({ ok }) => ok),
  version,
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
  atMs: wallNow(),
  checks,
  crashDumps,
});

const presentServices = (connected: () => ConnectionServices): ConnectionServices | null => attempt(connected)[1];

const checkData = async (
  { host, notices, connected }: DoctorParts,
  signal: AbortSignal,
): Promise<readonly DoctorCheck[]> => {
  const stored = notices().filter(({ code }) => !isConnectionRefusal(code));
  return Promise.all([
    runCheck('data directory', signal, () => found('text', { text: host.home })),
    ...stored.map((error) =>
      runCheck('stored data', signal, () => {
        throw fromErrorData(error);
      }),
    ),
    runCheck('connection', signal, () => found('text', { text: connected().connection.baseUrl })),
    runCheck('sign-in', signal, () => {
      const session = presentServices(connected)?.session.status();
      if (session?.state === 'signed-out' && session.reason) throw fromErrorData(session.reason);
      return found(session?.state === 'signed-in' ? 'signedIn' : 'signedOut');
    }),
  ]);
};

const checkNetwork = async (
  { dispatcher, routing, trustFiles }: Dispatchers,
  services: ConnectionServices,
  signal: AbortSignal,
): Promise<readonly DoctorCheck[]> => {
  const { baseUrl, authUrl } = services.connection;
  const storage = services.storageOrigin();
  const origins = new Set(
    [baseUrl, authUrl, ...(storage === undefined ? [] : [storage])].map((url) => new URL(url).origin),
  );
  const access: HostAccess = { routing, trust: createTrust(trustFiles()) };
  const within = AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]);
  const reached = onceEach(await Promise.all([...origins].map((origin) => checkHost(access, origin, within))));
  const barrier: Barrier = (url) => reached.find(({ origin }) => origin === new URL(url).origin)?.barrier;
  const others = await Promise.all([
    checkService(dispatcher, services, barrier, within),
    checkStorage(dispatcher, services, storage, barrier, within),
  ]);
  return [...reached.flatMap(({ checks }) => checks), ...others.flat()];
};

/** The timeout of all network checks together: longer than a usable network needs, and short enough for users. */
const WHOLE_MS = 20_000;

/**
 * Keeps an error of a proxy or of the CA file only at the first host that has it, because such an error may affect all
 * hosts. At the other hosts, the checks with this error count as skipped.
 */
const onceEach = (hosts: readonly CheckedHost[]): readonly CheckedHost[] => {
  const known = new Set<string>();
  return hosts.map((one) => {
    if (one.barrier?.details.proxy === undefined && one.barrier?.code !== 'network/ca-file') return one;
    const cause = `${one.barrier.code} ${one.barrier.details.proxy}`;
    if (!known.has(cause)) {
      known.add(cause);
      return one;
    }
    const { barrier, checks } = one;
    return {
      ...one,
      checks: checks.map((check) => (check.error?.code === barrier.code ? followed(check, barrier) : check)),
    };
  });
};

// The zip file for support. Secrets and the name of this computer's user are removed from everything but crash dumps.

/** The maximum number of batches, newest first, whose failed files are counted by reason. */
const MOST_UPLOADS = 200;

type BundleContent = { readonly crashDumps: boolean };

/**
 * Writes a zip file to `path` that only its owner can read: doctor.txt (in English, for the support team), doctor.json,
 * the logs, settings.json (without `views` and `letterhead`), policy.json (the names of managed settings) and
 * uploads.json (numbers only). If the user asked for crash dumps, `crashes/` has the newest ones, unchanged.
 * `logs/unreadable.json` and `crashes/unreadable.json` name files that could not be read. Errors: `data/unwritable`.
 */
const saveBundle = async (
  { host, settings, connected }: DoctorParts,
  last: DoctorReport,
  path: string,
  { crashDumps: isWithDumps }: BundleContent,
): Promise<void> => {
  // The app may have crashed since the report was made.
  const report = { ...last, crashDumps: readCrashDumps(host.home) };
  const english = await createHostSpeech('en');
  const { views: _, letterhead: __, ...shown } = settings.get();
  const content: Files = {
    'doctor.txt': strToU8(clean(reportText(report, english))),
    'doctor.json': json(report),
    'settings.json': json(shown),
    'policy.json': json({ managed: settings.managed }),
    'uploads.json': json(await sumsOf(connected)),
    ...(await logs(host.home)),
    ...(isWithDumps ? await dumpFiles(host.home, report.crashDumps) : {}),
  };
  await replaceFile(path, (temporary) => writeFile(temporary, zipped(content), { mode: FILE_MODE }));
};

type Files = Readonly<Record<string, Uint8Array>>;

/** The compression method 8 of zip files (APPNOTE.TXT 4.4.5). */
const DEFLATED = 8;

/**
 * Yields the zip file in parts. Node compresses in its thread pool, so that large dumps do not block the main thread.
 */
async function* zipped(files: Files): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const [filename, bytes] of Object.entries(files)) {
    const file: ZipInputFile = { filename, size: bytes.length, crc: crc32(bytes), compression: DEFLATED };
    zip.add(file);
    file.ondata?.(null, await deflate(bytes), true);
    yield* parts.splice(0);
  }
  zip.end();
  yield* parts;
}

const deflate = promisify(deflateRaw);

/** Encodes `value` as JSON. Removes secrets, although `value` should not contain any. */
const json = (value: unknown): Uint8Array => strToU8(`${JSON.stringify(safeValue(value, clean), undefined, 2)}\n`);

const clean = (text: string): string => redact(withoutUser(text));

/**
 * Returns the name of this computer's user; empty if the list of users lacks the user, as in a container. Reads the
 * name once, because the system searches its list each time, and a log has thousands of texts.
 */
const userName = once((): string => attempt(() => userInfo().username)[1] ?? '');

/**
 * Removes names of users from `text`: of each user from paths of home folders, and of this computer's user from any
 * other part of a path.
 */
const withoutUser = (text: string): string => {
  const home = homedir();
  const names = new Set([basename(home), userName()].map((name) => name.toLowerCase()));
  const homeless = dirname(home) === home ? text : text.replaceAll(home, '~');
  return homeless
    .replace(/(^|[\s"'(=]|file:\/{2,3}|\b[a-z]:)([\\/](?:home|users)[\\/])[^\\/"'<>|:*?\n]+/gi, '$1$2[user]')
    .replace(/(?<=[\\/])[^\\/"'<>|:*?\n(),;]+/g, (part) => (names.has(part.toLowerCase()) ? '[user]' : part));
};

/** Reads the log files without secrets. If their folder cannot be listed, `unreadable.json` contains the error. */
const logs = async (home: string): Promise<Files> => {
  const names = await readdir(join(home, 'logs')).catch(() => ['inspection-desk.log']);
  const isLog = (name: string): boolean => /^inspection-desk\.log(\.\d)?$/.test(name);
  return readable('logs', names.filter(isLog), async (name) => {
    const lines: string[] = [];
    for await (const line of createInterface({ input: createReadStream(join(home, 'logs', name)) }))
      lines.push(`${cleanLine(line, home)}\n`);
    return strToU8(lines.join(''));
  });
};

const dumpFiles = (home: string, dumps: readonly CrashDump[]): Promise<Files> =>
  readable(
    'crashes',
    dumps.slice(0, KEPT_DUMPS).map(({ file }) => file),
    (file) => readFile(join(crashFolder(home), file)),
  );

const readable = async (
  folder: string,
  names: readonly string[],
  read: (name: string) => Promise<Uint8Array>,
): Promise<Files> => {
  const files: Record<string, Uint8Array> = {};
  const unreadable: { readonly file: string; readonly cause: string | undefined }[] = [];
  for (const file of names) {
    try {
      files[`${folder}/${file}`] = await read(file);
    } catch (error) {
      unreadable.push({ file, cause: codeOf(error) });
    }
  }
  return { ...files, ...(unreadable.length > 0 && { [`${folder}/unreadable.json`]: json(unreadable) }) };
};

const cleanLine = (line: string, home: string): string => {
  const entry = jsonIn(line);
  return entry === null ? clean(line) : JSON.stringify(safeValue(entry, (text) => withoutUser(logText(text, home))));
};

/** Counts batches and files. `unreadable`: the number of batches whose reasons cannot be read, by error code. */
const sumsOf = async (connected: () => ConnectionServices): Promise<unknown> => {
  const uploads = presentServices(connected)?.uploads;
  if (!uploads) return { uploads: 0 };
  const batches = uploads.present();
  const states = countBy(batches, ({ state }) => state);
  const files = {
    uploaded: sumBy(batches, (batch) => batch.uploaded),
    skipped: sumBy(batches, (batch) => batch.skipped),
    failed: sumBy(batches, (batch) => batch.failed),
    cancelled: sumBy(batches, (batch) => batch.cancelled),
  };
  const reasons: Record<string, number> = {};
  const unreadable: Record<string, number> = {};
  for (const { batchId } of batches.filter(({ failed }) => failed > 0).slice(-MOST_UPLOADS)) {
    try {
      for (const { code, files: count } of await uploads.errorGroups(batchId))
        reasons[code] = (reasons[code] ?? 0) + count;
    } catch (error) {
      const code = codeOf(error) ?? 'bug';
      unreadable[code] = (unreadable[code] ?? 0) + 1;
    }
  }
  return { uploads: batches.length, states, files, reasons, unreadable };
};
