/** upload --match, --map: folders that each go to an assignment of their own. */
import { basename, resolve } from 'node:path';
import { type Draft, type DraftRow, MIN_CERTAINTY } from '../../../../contract/drafts.ts';
import { DeskError, fromErrorData } from '../../../../contract/errors.ts';
import type { LeaveRoom } from '../../../../contract/hours.ts';
import { assignmentName } from '../../../../contract/resources.ts';
import { visibleText } from '../../../../contract/text.ts';
import type { AutomaticReceipt, NameTemplate, OnClash } from '../../../../contract/uploads.ts';
import type { Speech } from '../../../../words/speech.ts';
import { orCancelled } from '../../../async/cancel.ts';
import { codeOf } from '../../../async/error-code.ts';
import type { Desk } from '../../../core/desk.ts';
import type { RowMatch } from '../../../core/drafts/draft-thread.ts';
import { decodeText, readBounded } from '../../../data/read-file.ts';
import { NOTHING_LEFT_OUT } from '../../../uploads/source/left-out.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import {
  type FollowedUpload,
  followUpload,
  NOTHING_SENT,
  summaryWords,
  tellFile,
  tellReceipt,
} from '../support/follow.ts';
import { type ScheduleOptions, scheduleOf } from '../support/options.ts';
import type { Output } from '../support/output.ts';
import { Refusal, type Translate } from '../support/refusal.ts';
import { type Column, formatBytes, formatTable } from '../support/table.ts';
import { type CliContext, ensureSignedIn, withDesk } from '../support/with-desk.ts';
import { planRows } from './dry-run.ts';

export type MatchOptions = ScheduleOptions & {
  /** Whether folders that are not in the map file are matched by their names. */
  readonly match?: boolean;
  /** Path of a map file. */
  readonly map?: string;
  readonly minCertainty?: number;
  readonly level?: number;
  /** Uses the assignments as they were last read. */
  readonly offline?: boolean;
  readonly dryRun?: boolean;
  readonly concurrency?: number | 'auto';
  readonly limitRate?: number;
  readonly leaveRoom?: LeaveRoom;
  readonly nameTemplate?: NameTemplate;
  readonly onClash?: OnClash;
  /** Saved beside the folder once the upload has ended. */
  readonly receipt?: AutomaticReceipt;
};

/**
 * Uploads the folders whose assignment is certain, all together, and lists all of them. Exit: failures where a folder was
 * not sent, or would not be.
 */
export const matchUpload = async (
  context: CliContext,
  folders: readonly string[],
  options: MatchOptions,
): Promise<number> => {
  const { output, signal } = context;
  const map = options.map === undefined ? undefined : readMapFile(options.map);
  const { concurrency, limitRate: bytesPerSecond, leaveRoom } = options;
  return withDesk(
    context,
    async (desk) => {
      if (!options.offline || !options.dryRun) await ensureSignedIn(desk, signal);
      await prepare(desk, context, folders, options, map);
      const matches = await desk.drafts.ask('matches', undefined);
      await showMatches(output, matches, folders);
      const { rows } = await desk.drafts.ask('rows', { filter: 'problems', descending: false, offset: 0, limit: 1000 });
      sayWarnings(output, rows);
      const unsent = matches.filter(({ decision }) => decision !== 'send').length;
      const beganMs = performance.now();
      const ended = await (options.dryRun
        ? planRows(context, await desk.drafts.ask('plan', undefined))
        : send(desk, context, options));
      summarize(context, matches, unsent, ended, (performance.now() - beganMs) / 1000);
      return Math.max(ended.exitCode, unsent > 0 ? EXIT.failures : EXIT.done);
    },
    { concurrency, bytesPerSecond, leaveRoom, onFile: options.dryRun ? undefined : tellFile(output) },
  );
};

/** Far more than 100,000 lines have. */
const MOST_MAP_MEGABYTES = 16;

const readMapFile = (path: string): string => {
  try {
    const bytes = readBounded(path, MOST_MAP_MEGABYTES * 1_000_000);
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
 * Opens a draft, and waits until every folder is matched. Errors: those of reading the assignments, `upload/map-invalid` (after a line for
 * each mistake), `cache/missing` where no assignment is known.
 */
const prepare = async (
  desk: Desk,
  { output, signal }: CliContext,
  folders: readonly string[],
  { match = false, minCertainty = MIN_CERTAINTY, level, offline = false, nameTemplate, onClash }: MatchOptions,
  map: string | undefined,
): Promise<void> => {
  const sources = folders.map((folder) => ({ root: resolve(folder), name: basename(resolve(folder)) }));
  const ready = Promise.withResolvers<Draft>();
  const settle = (draft: Draft): void => {
    output.status(progressWords(draft, output));
    if (draft.phase === 'ready') ready.resolve(draft);
  };
  const unsubscribe = desk.onEvent((event) => {
    if (event.type === 'draft' && event.draft) settle(event.draft);
  });
  try {
    settle(
      await desk.drafts.open({
        sources,
        map,
        isMatched: match,
        minCertainty,
        level,
        nameTemplate,
        onClash,
        isUpdated: offline,
      }),
    );
    const draft = await orCancelled(ready.promise, signal);
    output.status('');
    for (const problem of await desk.drafts.ask('mapProblems', undefined)) {
      output.event({ type: 'problem', ...problem });
      output.say(output.speech.t(`cli.mapProblem.${problem.kind}`, problem));
    }
    if (draft.reason) throw fromErrorData(draft.reason);
    if (draft.assignments.known === 0) throw new DeskError('cache/missing', 'no assignments are known');
  } finally {
    unsubscribe();
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

/** Uploads what has an assignment. */
const send = async (desk: Desk, context: CliContext, options: MatchOptions): Promise<Ended> => {
  const { toSend } = await desk.drafts.ask('view', undefined);
  if (toSend.folders === 0) return { ...NOTHING_SENT, uploadId: null };
  const { uploadId, batchIds } = await desk.drafts.start(
    desk.uploadRules({ schedule: scheduleOf(options), receipt: options.receipt }),
  );
  const left = desk.drafts.current()?.reason;
  if (left) context.output.error(fromErrorData(left));
  const followed = await followUpload(desk, context, batchIds);
  const exitCode = Math.max(followed.exitCode, await tellReceipt(desk, context.output, uploadId));
  return { ...followed, exitCode, uploadId };
};

const summarize = (
  { output }: CliContext,
  matches: readonly RowMatch[],
  unsent: number,
  { uploadId: upload, leftOut, renamed, notReplaced, removed, resent, exitCode: _, ...counted }: Ended,
  seconds: number,
): void => {
  const count = (wanted: string): number => matches.filter(({ decision }) => decision === wanted).length;
  const folders = { folders: matches.length, send: count('send'), ask: count('ask'), none: count('none') };
  const { files, uploaded, skipped, failed, bytes } = counted;
  const odd = {
    ...(removed > 0 && { removed }),
    ...(resent > 0 && { resent }),
    ...(notReplaced > 0 && { notReplaced }),
  };
  const counts = { files, uploaded, skipped, failed, ...odd, bytes };
  const planned = renamed === undefined ? {} : { renamed, leftOut };
  const rounded = Math.round(seconds * 1000) / 1000;
  output.event({ type: 'summary', upload, ...folders, ...counts, ...planned, seconds: rounded });
  if (renamed === undefined && files > 0)
    output.say(summaryWords({ ...counts, leftOut: NOTHING_LEFT_OUT, seconds }, output));
  if (unsent > 0) output.say(output.speech.t('cli.match.left', { count: unsent }));
};

// What each folder was matched with, for scripts and for people.

/** A line of JSON for each folder, or a table. `folders`: those that were given, as they were. */
const showMatches = async (output: Output, matches: readonly RowMatch[], folders: readonly string[]): Promise<void> => {
  if (!output.json) return output.result(undefined, () => formatTable(matches, columns(output.speech)));
  await output.events(async function* () {
    for (const match of matches) yield matchEvent(match, folders);
  });
};

const matchEvent = (
  { source, path, fileNames, files, bytes, certainty, reasons, decision, candidates, AssignmentId }: RowMatch,
  folders: readonly string[],
) => ({
  type: 'match',
  folder: path,
  assignment: decision === 'send' ? AssignmentId : null,
  certainty: rounded(certainty),
  reasons,
  decision,
  candidates: candidates.map((one) => ({ assignment: one.AssignmentId, certainty: rounded(one.certainty) })),
  root: resolve(folders[source] ?? ''),
  files,
  bytes,
  ...(fileNames && { fileNames }),
});

/** More digits say nothing. */
const rounded = (certainty: number): number => Math.round(certainty * 10_000) / 10_000;

const columns = ({ t, locale }: Speech<'host'>): readonly Column<RowMatch>[] => [
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
    cell: ({ certainty }) => (certainty === 0 ? '' : `${Math.floor(certainty * 100)} %`),
  },
  { title: t('table.title.assignment'), cell: ({ assignment }) => (assignment ? assignmentName(assignment) : '') },
  { title: t('table.title.files'), cell: ({ files }) => files },
  { title: t('table.title.size'), cell: ({ bytes }) => formatBytes(bytes, { locale }) },
];

/** A script cannot ask: reasons against what is sent go to standard error, and the upload continues. */
const sayWarnings = ({ say, speech: { t } }: Output, rows: readonly DraftRow[]): void => {
  for (const { path, choice, warnings } of rows) {
    if (choice !== 'assignment') continue;
    for (const warning of warnings)
      if (warning.kind === 'status') say(t('cli.match.closed', { folder: path, status: warning.AssignmentStatus }));
  }
};
