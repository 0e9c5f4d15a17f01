/** A zip file for support: the doctor's report, the log, the settings and sums of the uploads. Nothing in it is a secret. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, type Zippable, zipSync } from 'fflate';
import type { DoctorReport } from '../../../contract/doctor.ts';
import { reportText } from '../../../words/speech/doctor-text.ts';
import { createHostSpeech } from '../../../words/speech/host-speech.ts';
import { loadDoctorWords } from '../../../words/speech/languages.ts';
import { replaceFile } from '../../data/replace-file.ts';
import type { Host } from '../../hosts/host.ts';
import { redact } from '../../net/redact.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import { safeValue } from '../log/log.ts';

type BundleParts = {
  readonly host: Pick<Host, 'home'>;
  readonly settings: SettingsStore;
  readonly connected: () => ConnectionServices;
};

/** Uploads whose failures are counted by reason, from the newest on. */
const MOST_UPLOADS = 200;

/**
 * Writes the file to `path`: doctor.txt (in English, for the support team) and doctor.json, logs, settings.json
 * without what the window remembers, uploads.json (numbers only) and policy.json (the names of its keys).
 * Errors: `data/unwritable`.
 */
export const saveBundle = async (
  { host, settings, connected }: BundleParts,
  report: DoctorReport,
  path: string,
): Promise<void> => {
  const english = await createHostSpeech('en');
  const { views: _, ...shown } = settings.get();
  const content: Zippable = {
    'doctor.txt': strToU8(redact(reportText(report, await loadDoctorWords('en'), english, 'en'))),
    'doctor.json': json(report),
    'settings.json': json(shown),
    'policy.json': json({ managed: settings.managed }),
    'uploads.json': json(await sumsOf(connected)),
    ...(await logs(host.home)),
  };
  const zip = zipSync(content);
  await replaceFile(path, (temporary) => writeFile(temporary, zip));
};

/** Without secrets, even if one came to where none belongs. */
const json = (value: unknown): Uint8Array => strToU8(`${JSON.stringify(safeValue(value), undefined, 2)}\n`);

const logs = async (home: string): Promise<Zippable> => {
  const folder = join(home, 'logs');
  const names = (await readdir(folder)).filter((name) => /^inspection-desk\.log(\.\d)?$/.test(name));
  const read = async (name: string) => [`logs/${name}`, strToU8(redact(await readFile(join(folder, name), 'utf8')))];
  return Object.fromEntries(await Promise.all(names.map(read)));
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
