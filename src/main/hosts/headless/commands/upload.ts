/** The command `upload`: uploads folders to one assignment, or each folder to its own. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { memoize } from 'es-toolkit/function/memoize';
import { type Draft, type DraftRow, type DraftWarning, MIN_CERTAINTY } from '../../../../contract/drafts.ts';
import { codeOf, DeskError, fromErrorData } from '../../../../contract/errors.ts';
import type { LeaveRoom } from '../../../../contract/hours.ts';
import { assignmentName } from '../../../../contract/resources.ts';
import { visibleText } from '../../../../contract/text.ts';
import {
  type AutomaticReceipt,
  type Batch,
  type LeftOut,
  type NameTemplate,
  type OnClash,
  ownNameTemplate,
} from '../../../../contract/uploads.ts';
import { wholePercent } from '../../../../words/size.ts';
import type { Speech } from '../../../../words/speech.ts';
import { orCancelled } from '../../../async/cancel.ts';
import type { Desk } from '../../../core/desk.ts';
import type { PlannedRow } from '../../../core/drafts/draft-worker.ts';
import type { Drafts } from '../../../core/drafts/drafts.ts';
import type { RowMatch } from '../../../core/drafts/table.ts';
import { decodeText, readBounded } from '../../../data/files.ts';
import { openConfSettings } from '../../../settings/conf-settings.ts';
import { connectionIdOf, resolveConnection, settingsLayer } from '../../../settings/resolve-connection.ts';
import { isDamaged, openSettings } from '../../../settings/settings.ts';
import { readLedger } from '../../../uploads/ledger/ledger.ts';
import { createHasher } from '../../../uploads/source/hasher.ts';
import { type OpenFile, openLocalFile } from '../../../uploads/source/local-file.ts';
import { folderName } from '../../../uploads/source/paths.ts';
import { assertFolder } from '../../../uploads/source/scan.ts';
import { SEND_TIMEOUTS } from '../../../uploads/storage/put-file.ts';
import { type Naming, type PlannedFile, type PlannedSource, planFolders } from '../../../uploads/transfer/names.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import {
  type FollowedUpload,
  followEach,
  followUpload,
  leftOutWords,
  NOTHING_SENT,
  orPrinted,
  printReceipt,
  secondsSince,
  summaryWords,
  unreadableOf,
} from '../support/follow.ts';
import { connectionLayers, homeOf, type ScheduleOptions, scheduleOf } from '../support/options.ts';
import {
  type Column,
  formatBytes,
  formatTable,
  type Output,
  Refusal,
  streamTable,
  type Translate,
} from '../support/output.ts';
import { assertAssignmentId, type CliContext, ensureSignedIn, withDesk } from '../support/with-desk.ts';

type UploadOptions = MatchOptions & {
  /** The assignment of all folders. Absent: each folder has its own assignment. */
  readonly assignment?: string;
};

/**
 * Runs the command, and resolves to its exit code. Errors: those of `assertFolder` and of signing in; `input/invalid`
 * for arguments that are not valid.
 */
export const upload = async (
  context: CliContext,
  folders: readonly string[],
  options: UploadOptions,
): Promise<number> => {
  const { assignment, dryRun, concurrency, limitRate: bytesPerSecond, leaveRoom } = options;
  if (assignment !== undefined) assertAssignmentId(assignment);
  const roots = folders.map((folder) => resolve(context.cwd, folder));
  for (const root of roots) await assertFolder({ root });
  if (assignment !== undefined && dryRun) return planToOne(context, roots, { ...options, assignment });
  const map = options.map === undefined ? undefined : await readMapFile(resolve(context.cwd, options.map));
  const work = (desk: Desk): Promise<number> =>
    assignment === undefined
      ? matchUpload(desk, context, roots, options, map)
      : uploadToOne(desk, context, roots, { ...options, assignment });
  const onFile = dryRun ? undefined : context.files.ofOwn;
  return withDesk(context, work, { concurrency, bytesPerSecond, leaveRoom, onFile, serves: true });
};

type ToOne = UploadOptions & { readonly assignment: string };

/** Uploads each folder as its own batch, one after another. Resolves to the highest exit code of the folders. */
const uploadToOne = async (
  desk: Desk,
  context: CliContext,
  roots: readonly string[],
  { assignment, nameTemplate, onClash, receipt, ...options }: ToOne,
): Promise<number> => {
  const { output } = context;
  await ensureSignedIn(desk, context);
  const assignmentId = desk.assignmentIdOf(assignment);
  const { uploads } = desk.connected();
  const rules = desk.uploadRules({ schedule: scheduleOf(options), receipt });
  // A script cannot be prompted: warnings about the upload go to standard error, and the upload does not wait for them.
  const names = roots.map(folderName);
  const warned = desk.warningsOf(names, assignmentId, context.signal).then((warnings) => {
    for (const [at, some] of warnings.entries()) for (const one of some) sayWarning(names[at] ?? '', one, output);
  });
  // All batches are recorded before the first one runs, so that all are resumed if the command is interrupted. A folder
  // that cannot be recorded does not stop the others.
  const batches: Batch[] = [];
  const codes: number[] = [];
  for (const root of roots)
    codes.push(
      await orPrinted(context, async () => {
        batches.push(await uploads.start({ root, assignmentId, nameTemplate, onClash, ...rules, isPaused: true }));
        return EXIT.done;
      }),
    );
  const followed = await followEach(desk, context, batches, async ({ batchId }) => {
    const batch = await uploads.get(batchId);
    // In a running app, the user may have resumed or cancelled the batch in the meantime.
    return batch.state === 'paused' && !rules.isHeldBack ? uploads.resume(batchId, 'app') : batch;
  });
  await warned;
  return Math.max(followed, ...codes);
};

const sayWarning = (folder: string, warning: DraftWarning, { say, speech: { t } }: Output): void => {
  if (warning.kind === 'status') say(t('cli.warning.status', { status: warning.AssignmentStatus }));
  if (warning.kind === 'other-assignment')
    say(t('cli.warning.other', { folder, found: warning.found, name: warning.name }));
};

type MatchOptions = ScheduleOptions & {
  /** Whether folders that are not in the map file are matched by their names. */
  readonly match?: boolean;
  readonly map?: string;
  readonly minCertainty?: number;
  readonly level?: number;
  readonly offline?: boolean;
  readonly dryRun?: boolean;
  readonly concurrency?: number | 'auto';
  readonly limitRate?: number;
  readonly leaveRoom?: LeaveRoom;
  readonly nameTemplate?: NameTemplate;
  readonly onClash?: OnClash;
  readonly receipt?: AutomaticReceipt;
};

/**
 * Lists all folders with their matches. Starts one upload of all folders whose assignment is certain. Returns
 * `EXIT.failures` or a higher code if a folder was not sent or, with `dryRun`, would not be sent.
 */
const matchUpload = async (
  desk: Desk,
  context: CliContext,
  roots: readonly string[],
  options: MatchOptions,
  map: string | undefined,
): Promise<number> => {
  const { output } = context;
  if (!options.offline || !options.dryRun) await ensureSignedIn(desk, context);
  const ready = Promise.withResolvers<Draft>();
  const drafts = desk.openDrafts(({ value: draft }) => {
    if (draft) output.status(progressWords(draft, output));
    if (draft?.phase === 'ready') ready.resolve(draft);
  });
  try {
    await prepare(drafts, ready.promise, context, roots, options, map);
    const matches = await drafts.inWorker().matches();
    await showMatches(output, matches);
    const every = { offset: 0, limit: matches.length };
    const { rows } = await drafts.inWorker().rows({ filter: 'problems', descending: false, ...every });
    sayWarnings(output, rows);
    const unsent = matches.filter(({ decision }) => decision !== 'send').length;
    // Unreadable folders may be in no batch, and a plan does not scan again, so the draft's count is used as well.
    const { leftOut } = await drafts.inWorker().view();
    const beganMs = performance.now();
    const ended = await (options.dryRun
      ? planRows(context, (await drafts.inWorker().plan()).rows, leftOut)
      : send(desk, drafts, context, options));
    const unreadable = Math.max(ended.leftOut.unreadable, leftOut.unreadable);
    const counted = { ...ended, leftOut: { ...ended.leftOut, unreadable } };
    summarize(context, matches, unsent, counted, secondsSince(beganMs));
    return Math.max(ended.exitCode, unsent + unreadable > 0 ? EXIT.failures : EXIT.done);
  } finally {
    await drafts.discard();
    if (drafts.hangs()) context.onHang();
  }
};

/** The maximum size of a map file, enough for 100,000 lines of 160 bytes. */
const MOST_MAP_MEGABYTES = 16;

const readMapFile = async (path: string): Promise<string> => {
  try {
    const bytes = await readBounded(path, MOST_MAP_MEGABYTES * 1_000_000);
    if (bytes) return decodeText(bytes);
  } catch (error) {
    if (codeOf(error) === 'EFBIG') {
      const words = (t: Translate): string => t('help.mapFileTooLarge', { path, megabytes: MOST_MAP_MEGABYTES });
      throw new Refusal(`the map file is too large: ${path}`, words, { path });
    }
  }
  throw new Refusal(`the map file cannot be read: ${path}`, (t) => t('help.mapFileUnreadable', { path }), { path });
};

/**
 * Opens a draft, and waits until every folder is matched. Errors: those of `drafts.open`; the `reason` of the draft,
 * such as `upload/map-invalid`, for which each mistake in the map file is printed first; `cache/missing` if no
 * assignment is known; the `cancellation` of `signal`.
 */
const prepare = async (
  drafts: Drafts,
  ready: Promise<Draft>,
  { output, signal }: CliContext,
  roots: readonly string[],
  { match = false, minCertainty = MIN_CERTAINTY, level, offline = false, nameTemplate, onClash }: MatchOptions,
  map: string | undefined,
): Promise<void> => {
  const sources = roots.map((root) => ({ root, name: folderName(root) }));
  const rules = { map, isMatched: match, minCertainty, level, nameTemplate, onClash };
  try {
    await drafts.open({ sources, ...rules, isUpdated: offline });
    const draft = await orCancelled(ready, signal);
    output.status('');
    for (const problem of await drafts.inWorker().mapProblems()) {
      output.event({ type: 'problem', ...problem });
      output.say(output.speech.t(`cli.mapProblem.${problem.kind}`, problem));
    }
    if (draft.reason) throw fromErrorData(draft.reason);
    if (draft.assignments.known === 0) throw new DeskError('cache/missing', 'no assignments are known');
  } finally {
    output.status('');
  }
};

const MINUTE_MS = 60_000;

const progressWords = (
  { phase, files, assignments: { stage, read, total, leftMs = 0 } }: Draft,
  { speech: { t } }: CliContext['output'],
): string => {
  if (phase === 'ready') return '';
  if (phase === 'updating') {
    const left = leftMs < MINUTE_MS ? '' : t('cli.match.timeLeft', { minutes: Math.round(leftMs / MINUTE_MS) });
    return t(stage === 'protocols' ? 'cli.match.listing' : 'cli.match.updating', { read, total }) + left;
  }
  if (phase === 'matching') return t('cli.match.matching');
  return t('cli.upload.scanning', { count: files, settled: 0, wait: '' });
};

type Ended = FollowedUpload & { readonly uploadId: string | null; readonly renamed?: number };

const send = async (desk: Desk, drafts: Drafts, context: CliContext, options: MatchOptions): Promise<Ended> => {
  const { chosen } = await drafts.inWorker().view();
  if (chosen.folders === 0) return { ...NOTHING_SENT, uploadId: null };
  const { uploadId, batchIds } = await drafts.start(
    desk.uploadRules({ schedule: scheduleOf(options), receipt: options.receipt }),
  );
  const left = drafts.current()?.reason;
  if (left) context.output.error(fromErrorData(left));
  const followed = await followUpload(desk, context, batchIds);
  const exitCode = Math.max(followed.exitCode, await printReceipt(desk, context.output, uploadId));
  return { ...followed, exitCode, uploadId };
};

const summarize = (
  { output }: CliContext,
  matches: readonly RowMatch[],
  unsent: number,
  { uploadId: upload, leftOut, renamed, nameTaken, notReplaced, removed, resent, exitCode: _, ...counted }: Ended,
  seconds: number,
): void => {
  const count = (wanted: string): number => matches.filter(({ decision }) => decision === wanted).length;
  const folders = { folders: matches.length, send: count('send'), ask: count('ask'), none: count('none') };
  const { files, uploaded, skipped, failed, bytes } = counted;
  const odd = {
    ...(renamed === undefined && unreadableOf({ leftOut })),
    ...(removed > 0 && { removed }),
    ...(resent > 0 && { resent }),
    ...(nameTaken > 0 && { nameTaken }),
    ...(notReplaced > 0 && { notReplaced }),
  };
  const counts = { files, uploaded, skipped, failed, ...odd, bytes };
  const planned = renamed === undefined ? {} : { renamed, leftOut };
  output.event({ type: 'summary', upload, ...folders, ...counts, ...planned, seconds });
  if (renamed === undefined && files > 0) output.say(summaryWords({ ...counts, leftOut, seconds }, output));
  if (unsent > 0) output.say(output.speech.t('cli.match.left', { count: unsent }));
};

const showMatches = (output: Output, matches: readonly RowMatch[]): Promise<void> =>
  output.stream(
    () => matches.map(matchEvent),
    () => formatTable(matches, matchColumns(output.speech)),
  );

const matchEvent = (match: RowMatch) => ({
  type: 'match',
  folder: match.path,
  assignment: match.decision === 'send' ? match.AssignmentId : null,
  certainty: rounded(match.certainty),
  reasons: match.reasons,
  decision: match.decision,
  candidates: match.candidates.map((one) => ({ assignment: one.AssignmentId, certainty: rounded(one.certainty) })),
  root: match.root,
  files: match.files,
  bytes: match.bytes,
  fileNames: match.fileNames,
});

const rounded = (certainty: number): number => Math.round(certainty * 10_000) / 10_000;

const matchColumns = ({ t, locale }: Speech<'host'>): readonly Column<RowMatch>[] => [
  {
    title: t('table.title.folder'),
    cell: ({ path, fileNames }) =>
      fileNames
        ? `${visibleText(path) || '.'} (${t('cli.file', { count: fileNames.length })})`
        : visibleText(path) || '.',
    whole: true,
  },
  { title: t('table.title.decision'), cell: ({ decision }) => t(`table.decision.${decision}`) },
  {
    title: t('table.title.certainty'),
    cell: ({ certainty }) => (certainty === 0 ? '' : certainty.toLocaleString(locale, wholePercent)),
  },
  { title: t('table.title.assignment'), cell: ({ assignment }) => (assignment ? assignmentName(assignment) : '') },
  { title: t('table.title.files'), cell: ({ files }) => files },
  { title: t('table.title.size'), cell: ({ bytes }) => formatBytes(bytes, { locale }) },
];

/** Prints warnings about closed assignments. The upload continues, because a script cannot be prompted. */
const sayWarnings = ({ say, speech: { t } }: Output, rows: readonly DraftRow[]): void => {
  for (const { path, choice, warnings } of rows) {
    if (choice !== 'assignment') continue;
    for (const warning of warnings)
      if (warning.kind === 'status') say(t('cli.match.closed', { folder: path, status: warning.AssignmentStatus }));
  }
};

const planToOne = async (
  context: CliContext,
  roots: readonly string[],
  { assignment: assignmentId, nameTemplate, onClash }: ToOne,
): Promise<number> => {
  const { output } = context;
  const sources = roots.map((root) => ({ root, onClash }));
  const print: PrintFiles = (files) =>
    output.stream(
      () => events(files),
      () => streamTable(files, fileColumns(output.speech)),
    );
  let exitCode: number = EXIT.done;
  for await (const total of plan(context, { assignmentId, nameTemplate, sources }, print)) {
    if (!output.json) output.result(undefined, () => plannedWords(total, output.speech));
    output.event({ type: 'summary', batch: null, ...NONE_SENT, ...total, seconds: 0 });
    if (total.leftOut.unreadable > 0) exitCode = EXIT.failures;
  }
  return exitCode;
};

/** Plans the upload of a draft's rows. Prints the planned files as JSON, or their total as text. */
const planRows = async (context: CliContext, rows: readonly PlannedRow[], leftOut: LeftOut): Promise<PlannedUpload> => {
  const { output } = context;
  let total: Counts = { files: 0, bytes: 0, renamed: 0, leftOut };
  const groups = Map.groupBy(rows, ({ upload }) => upload.assignmentId);
  for (const [assignmentId, group] of groups) {
    const sources = group.map(({ upload }) => upload);
    const nameTemplate = sources[0]?.nameTemplate;
    const print: PrintFiles = (files, root) =>
      output.stream(
        () => events(files, { root, assignment: assignmentId }),
        () => [],
      );
    for await (const { files, bytes, renamed } of plan(context, { assignmentId, nameTemplate, sources }, print))
      total = { files: total.files + files, bytes: total.bytes + bytes, renamed: total.renamed + renamed, leftOut };
  }
  output.say(plannedWords(total, output.speech));
  return { ...NOTHING_SENT, ...total, uploadId: null };
};

type PlannedUpload = FollowedUpload & { readonly uploadId: null; readonly renamed: number };

type Counts = Pick<FollowedUpload, 'files' | 'bytes' | 'leftOut'> & { readonly renamed: number };

const NONE_SENT = { uploaded: 0, skipped: 0, failed: 0 };

type Group = {
  readonly assignmentId: string;
  readonly nameTemplate: NameTemplate | undefined;
  readonly sources: readonly PlannedSource[];
};

type PrintFiles = (files: AsyncIterable<PlannedFile>, root: string) => Promise<void>;

/** The hasher of all plans in this process, because its thread ends only with the process. */
const hasherIn = memoize((readWorker: URL) => createHasher(readWorker, () => {}));

/** Plans the upload of each source, and yields its counts once `print` has printed its files. */
async function* plan(
  context: CliContext,
  { assignmentId, nameTemplate, sources }: Group,
  print: PrintFiles,
): AsyncGenerator<Counts> {
  const { parts, signal } = context;
  const hasher = hasherIn(parts.readWorker);
  const open: OpenFile = (...file) => openLocalFile(...file, hasher);
  const names = takenNames(context, assignmentId);
  const naming = { template: nameTemplate ?? ownNameTemplate, taken: names?.taken, open, timeouts: SEND_TIMEOUTS };
  try {
    for await (const planned of planFolders(sources, naming, signal)) {
      let [files, bytes, renamed] = [0, 0, 0];
      const read = async function* (): AsyncGenerator<PlannedFile> {
        for await (const file of planned.files) {
          files += 1;
          bytes += file.sizeBytes;
          if (file.reason) renamed += 1;
          yield file;
        }
      };
      const reading = read();
      await print(reading, planned.root);
      // Files that were not printed are counted, too.
      for await (const _ of reading);
      yield { files, bytes, renamed, leftOut: planned.leftOut() };
    }
  } finally {
    names?.close();
  }
}

async function* events(files: AsyncIterable<PlannedFile>, of: Readonly<Record<string, string>> = {}) {
  for await (const { path, FileName, sizeBytes, reason, clash } of files)
    yield { type: 'file', state: 'planned', ...of, path, FileName, size: sizeBytes, reason, clash: shown(clash) };
}

/**
 * Returns how a clash of names is resolved; undefined without a clash, and for a rename, which the file's `reason`
 * reports.
 */
const shown = (clash: PlannedFile['clash']): OnClash | undefined =>
  clash?.onClash === 'rename' ? undefined : clash?.onClash;

const plannedWords = ({ files, bytes, renamed, leftOut }: Counts, speech: Speech<'host'>): string =>
  speech.t('cli.upload.planned', {
    count: files,
    size: formatBytes(bytes, speech),
    renamed,
    leftOut: leftOutWords(leftOut, speech.t),
  });

type Taken = { readonly taken: Naming['taken']; readonly close: () => void };

/**
 * Opens the names that the ledger has for the assignment; undefined if the ledger is missing, or if the settings, the
 * connection or the ledger cannot be read.
 */
const takenNames = (context: CliContext, assignmentId: string): Taken | undefined => {
  const { output, policy } = context;
  const home = homeOf(context);
  const path = join(home, 'ledger.sqlite');
  if (!existsSync(path)) return undefined;
  try {
    if (isDamaged(home)) throw new DeskError('data/corrupt', 'the settings are damaged');
    const { get, managedConnection } = openSettings({ home, open: openConfSettings, policy });
    const layers = [managedConnection, ...connectionLayers(context), settingsLayer(get())];
    const connectionId = connectionIdOf(resolveConnection(layers).connection);
    const ledger = readLedger(path);
    const isSame = (id: string): boolean => id.toLowerCase() === assignmentId.toLowerCase();
    const known = ledger.history.assignments(connectionId).find(isSame) ?? assignmentId;
    return { taken: { ledger, assignment: { connectionId, assignmentId: known } }, close: ledger.close };
  } catch {
    output.say(output.speech.t('cli.upload.noRecord'));
    return undefined;
  }
};

const fileColumns = ({ t, locale }: Speech<'host'>): readonly Column<PlannedFile>[] => [
  { title: t('table.title.file'), cell: ({ path }) => path, whole: true },
  { title: 'FileName', cell: ({ FileName }) => FileName, whole: true },
  { title: t('table.title.size'), cell: ({ sizeBytes }) => formatBytes(sizeBytes, { locale }) },
  { title: t('table.title.renamed'), cell: ({ reason }) => (reason ? t(`table.reason.${reason}`) : '') },
];
