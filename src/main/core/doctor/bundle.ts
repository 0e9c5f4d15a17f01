/**
 * A zip file for support: the doctor's report, the log, the settings and sums of the uploads. Nothing in it is a secret, and
 * nothing names the user of this computer.
 */
import { createReadStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { strToU8, type Zippable, zipSync } from 'fflate';
import type { DoctorReport } from '../../../contract/doctor.ts';
import { reportText } from '../../../words/doctor-text.ts';
import { loadDoctorWords } from '../../../words/languages.ts';
import { createHostSpeech } from '../../../words/speech.ts';
import { FILE_MODE } from '../../data/data-directory.ts';
import { replaceFile } from '../../data/replace-file.ts';
import { redact } from '../../net/translate.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import type { Host } from '../host.ts';
import { logText, safeValue } from '../log/log.ts';

type BundleParts = {
  readonly host: Pick<Host, 'home'>;
  readonly settings: SettingsStore;
  readonly connected: () => ConnectionServices;
};

/** Uploads whose failures are counted by reason, from the newest on. */
const MOST_UPLOADS = 200;

/**
 * Writes the file to `path`: doctor.txt (in English, for the support team) and doctor.json, logs, settings.json
 * without what the window remembers, uploads.json (numbers only) and policy.json (the names of its keys). Only its owner
 * can read the file. Errors: `data/unwritable`.
 */
export const saveBundle = async (
  { host, settings, connected }: BundleParts,
  report: DoctorReport,
  path: string,
): Promise<void> => {
  const english = await createHostSpeech('en');
  const { views: _, ...shown } = settings.get();
  const content: Zippable = {
    'doctor.txt': strToU8(clean(reportText(report, await loadDoctorWords('en'), english, 'en'))),
    'doctor.json': json(report),
    'settings.json': json(shown),
    'policy.json': json({ managed: settings.managed }),
    'uploads.json': json(await sumsOf(connected)),
    ...(await logs(host.home)),
  };
  const zip = zipSync(content);
  await replaceFile(path, (temporary) => writeFile(temporary, zip, { mode: FILE_MODE }));
};

/** Without secrets, even if one came to where none belongs. */
const json = (value: unknown): Uint8Array => strToU8(`${JSON.stringify(safeValue(value, clean), undefined, 2)}\n`);

const clean = (text: string): string => redact(withoutUser(text));

/** `text` without the name of the user of this computer: in paths of home folders, and wherever it is a part of a path. */
const withoutUser = (text: string): string => {
  const home = homedir();
  const names = new Set([basename(home), nameOfUser()].map((name) => name.toLowerCase()));
  const homeless = dirname(home) === home ? text : text.replaceAll(home, '~');
  return homeless
    .replace(/(^|[\s"'(=]|file:\/{2,3}|\b[a-z]:)([\\/](?:home|users)[\\/])[^\\/"'<>|:*?\n]+/gi, '$1$2[user]')
    .replace(/(?<=[\\/])[^\\/"'<>|:*?\n(),;]+/g, (part) => (names.has(part.toLowerCase()) ? '[user]' : part));
};

const nameOfUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    // Not in the system's list of users, as in containers.
    return '';
  }
};

/** Every line as the log may have it now: an earlier version may have written more. */
const logs = async (home: string): Promise<Zippable> => {
  const folder = join(home, 'logs');
  const names = (await readdir(folder)).filter((name) => /^inspection-desk\.log(\.\d)?$/.test(name));
  const files: Record<string, Uint8Array> = {};
  for (const name of names) {
    const lines: string[] = [];
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) }))
      lines.push(`${cleanLine(line, home)}\n`);
    files[`logs/${name}`] = strToU8(lines.join(''));
  }
  return files;
};

const cleanLine = (line: string, home: string): string => {
  try {
    return JSON.stringify(safeValue(JSON.parse(line), (text) => withoutUser(logText(text, home))));
  } catch {
    return clean(line);
  }
};

/** How many uploads and files there are, by state, and why files failed. */
const sumsOf = async (connected: () => ConnectionServices): Promise<unknown> => {
  const uploads = usableUploads(connected);
  if (!uploads) return { uploads: 0 };
  const batches = uploads.present();
  const states: Record<string, number> = {};
  const files = { uploaded: 0, skipped: 0, failed: 0, cancelled: 0 };
  const reasons: Record<string, number> = {};
  for (const { state, uploaded, skipped, failed, cancelled } of batches) {
    states[state] = (states[state] ?? 0) + 1;
    files.uploaded += uploaded;
    files.skipped += skipped;
    files.failed += failed;
    files.cancelled += cancelled;
  }
  for (const { batchId } of batches.filter(({ failed }) => failed > 0).slice(-MOST_UPLOADS)) {
    for (const { code, files: count } of await uploads.errorGroups(batchId))
      reasons[code] = (reasons[code] ?? 0) + count;
  }
  return { uploads: batches.length, states, files, reasons };
};

const usableUploads = (connected: () => ConnectionServices) => {
  try {
    return connected().uploads;
  } catch {
    return undefined;
  }
};
