import { z } from 'zod';
import { call, nothing, savedFile } from './call.ts';
import { ErrorData } from './errors.ts';

/** The names of the checks. Scripts rely on them, so names are added but never changed. */
export const CheckName = z.enum([
  'version',
  'free space',
  'keychain',
  'data directory',
  'stored data',
  'connection',
  'sign-in',
  'proxy',
  'proxy sign-in',
  'name lookup',
  'network connection',
  'certificate',
  'certificate checks',
  'clock',
  'service',
  'sign-in address',
  'service data',
  'storage',
  'test upload',
]);
export type CheckName = z.infer<typeof CheckName>;

/**
 * What a check found. `word`: the key of a text in `words/<language>/doctor.json`; `values`: the values that the text
 * contains.
 */
export const Found = z.object({
  word: z.enum([
    'text',
    'usable',
    'unused',
    'signedIn',
    'signedOut',
    'answers',
    'free',
    'direct',
    'directBySettings',
    'directByPolicy',
    'directBySystem',
    'directByVariable',
    'proxyBySettings',
    'proxyByPolicy',
    'proxyBySystem',
    'proxyByVariable',
    'proxySignIn',
    'lookedUpByProxy',
    'connected',
    'certificate',
    'certificateOfOffice',
    'certificateEnds',
    'alwaysChecked',
    'withoutTls',
    'clock',
    'speed',
    'noSession',
    'noAnswer',
    'noStorage',
    'noTestFiles',
    'afterProxy',
    'afterProxyRefusal',
    'afterName',
    'afterSecurity',
    'afterHost',
    'afterSetting',
  ]),
  values: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
});
export type Found = z.infer<typeof Found>;
export type FoundWord = Found['word'];

/**
 * The result of a check. `ok`: false only if the check failed. `host`: the checked host, if the check is about one.
 * `error`: the reason for a failure or a warning. `ms`: how long the check took.
 */
export const DoctorCheck = z.object({
  check: CheckName,
  host: z.string().optional(),
  state: z.enum(['ok', 'warning', 'failed', 'skipped']),
  ok: z.boolean(),
  found: Found.optional(),
  error: ErrorData.optional(),
  ms: z.int(),
});
export type DoctorCheck = Readonly<z.infer<typeof DoctorCheck>>;

/**
 * A crash dump, which can contain anything that a process of the window had in memory. `file`: its path below the
 * folder of dumps; `atMs`: when it was written, in ms since 1970.
 */
export const CrashDump = z.object({ file: z.string(), atMs: z.number(), sizeBytes: z.number() });
export type CrashDump = Readonly<z.infer<typeof CrashDump>>;

/**
 * The results of all checks. `ok`: none failed; `atMs`: when they ended (ms since 1970); `crashDumps`: newest first.
 */
export const DoctorReport = z.object({
  ok: z.boolean(),
  version: z.string(),
  node: z.string(),
  platform: z.string(),
  atMs: z.number(),
  checks: z.array(DoctorCheck).readonly(),
  crashDumps: z.array(CrashDump).readonly(),
});
export type DoctorReport = Readonly<z.infer<typeof DoctorReport>>;

export const doctorCalls = {
  run: call(nothing, DoctorReport),
  /**
   * Saves a zip file at a path that the user chooses; undefined if the user cancels the dialog. The file contains the
   * last report (or a new one if there is none), the settings, the logs, counts of the uploads and, with `crashDumps`,
   * the crash dumps. Errors: `app/unsupported`, `data/unwritable`, `output/…`.
   */
  saveBundle: call(z.object({ crashDumps: z.boolean() }), savedFile),
};
