/** The command `watch`: watches folders and uploads their new files as they arrive. */

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DeskError } from '../../../../contract/errors.ts';
import type { Hours } from '../../../../contract/hours.ts';
import type { OnClash } from '../../../../contract/uploads.ts';
import { type Batch, hasEnded } from '../../../../contract/uploads.ts';
import type { WatchedFolder, WatchedRules } from '../../../../contract/watched-folders.ts';
import type { Speech } from '../../../../words/speech.ts';
import { cancellation, onAbort } from '../../../async/cancel.ts';
import type { Desk } from '../../../core/desk.ts';
import { createPatience } from '../../../uploads/source/scan.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { progressEvent, secondsSince, summarize } from '../support/follow.ts';
import type { Output } from '../support/output.ts';
import { type Column, formatTable, formatTime, isoTime } from '../support/output.ts';
import { assertAssignmentId, type CliContext, ensureSignedIn, withDesk } from '../support/with-desk.ts';

export type WatchOptions = {
  readonly assignment?: string;
  /** Whether the folders and files in the watched folder are uploaded to the assignments that their names match. */
  readonly match?: boolean;
  readonly existing?: boolean;
  readonly hours?: Hours;
  readonly onClash?: OnClash;
};

/**
 * Adds `folder`, if given, to the watched folders, and watches all of them until the command is stopped, such as by
 * Ctrl-C. Errors: those of signing in and of `add`; `input/invalid` for an AssignmentId that is not a UUID;
 * `watch/unknown` if no folder is watched; `auth/required` when the session ends.
 */
export const watch = async (
  context: CliContext,
  folder: string | undefined,
  options: WatchOptions,
): Promise<number> => {
  const { output, cwd } = context;
  if (options.assignment !== undefined) assertAssignmentId(options.assignment);
  return withDesk(
    context,
    async (desk) => {
      await ensureSignedIn(desk, context);
      const ended = follow(desk, context);
      ended.catch(() => {});
      if (folder !== undefined) await add(desk, resolve(cwd, folder), options);
      const folders = desk.connected().watchedFolders.list();
      if (folders.length === 0) throw new DeskError('watch/unknown', 'no folder is watched');
      for (const one of folders) printFolder(output, one);
      await ended;
      return EXIT.done;
    },
    { resumeUploads: true, networkPatienceMs: undefined, onFile: context.files.ofAll, serves: true },
  );
};

/** Watches the folder, or changes its rules if it is watched. `existing`: its present files are uploaded, too. */
const add = async (
  { handlers, snapshot, adopt, assignmentIdOf }: Desk,
  root: string,
  { assignment, existing = false, hours = [], onClash = 'rename' }: WatchOptions,
): Promise<void> => {
  const rules = { AssignmentId: assignment && assignmentIdOf(assignment), onClash, hours };
  const known = await watchedAt(snapshot().watchedFolders, root);
  if (known) await handlers.watchedFolders.change({ watchedId: known.watchedId, rules: { ...rules, paused: false } });
  else await handlers.watchedFolders.add({ folderId: adopt({ root }).folderId, rules, existing });
};

/**
 * Prints changes until `signal` is aborted. Rejects with `auth/required` when the session ends, and with the reason of
 * `running.left` when that is aborted.
 */
const follow = (desk: Desk, { output, signal, running }: CliContext): Promise<void> => {
  const { promise, resolve: end, reject } = Promise.withResolvers<void>();
  const told = new Map<number, string>();
  const begun = new Map<string, number>();
  const seeBatch = (batch: Batch): void => {
    const { batchId } = batch;
    if (!hasEnded(batch)) {
      if (!begun.has(batchId)) begun.set(batchId, performance.now());
      output.event(progressEvent(batch));
      return;
    }
    const beganMs = begun.get(batchId);
    if (beganMs === undefined) return;
    begun.delete(batchId);
    output.say(`${batch.root}:`);
    summarize(desk, output, batch, secondsSince(beganMs)).catch(reject);
  };
  const unsubscribe = desk.onEvent((event) => {
    if (event.type === 'batches') event.batches.forEach(seeBatch);
    if (event.type === 'session' && event.value.state === 'signed-out')
      reject(new DeskError('auth/required', 'the session has ended'));
    if (event.type !== 'watchedFolders') return;
    for (const folder of event.value) {
      const shown = JSON.stringify(folderRow(folder));
      if (told.get(folder.watchedId) === shown) continue;
      told.set(folder.watchedId, shown);
      printFolder(output, folder);
    }
  });
  const unlisten = onAbort(signal, () => (running?.left.aborted ? reject(cancellation(running.left)) : end()));
  return promise.finally(() => {
    unsubscribe();
    unlisten();
  });
};

const printFolder = ({ event, say, speech }: Output, folder: WatchedFolder): void => {
  event({ type: 'watching', ...folderRow(folder) });
  say(`${folder.path}: ${stateWords(folder, speech)}`);
};

export const list = (context: CliContext): Promise<number> =>
  withDesk(context, async (desk) => {
    const folders = desk.connected().watchedFolders.list();
    const { result, speech } = context.output;
    const words = () => formatTable(folders, columns(speech), speech.t('cli.watch.none'));
    result({ folders: folders.map(rulesRow) }, words);
    return EXIT.done;
  });

/** Stops watching `folder` (a path or an id). Uploads that have begun continue. Errors: `watch/unknown`, `data/…`. */
export const remove = (context: CliContext, folder: string): Promise<number> =>
  withDesk(context, async (desk) => {
    const { watchedFolders } = desk.connected();
    const all = watchedFolders.list();
    const known =
      all.find(({ watchedId }) => String(watchedId) === folder) ?? (await watchedAt(all, resolve(context.cwd, folder)));
    if (!known) throw new DeskError('watch/unknown', 'there is no such watched folder', { details: { path: folder } });
    await watchedFolders.remove(known.watchedId);
    context.output.result(rulesRow(known), () => context.output.speech.t('cli.watch.removed', { path: known.path }));
    return EXIT.done;
  });

/**
 * Finds the watched folder at `path`, even if `path` leads there by a link or is spelled in another case. Undefined:
 * none is there.
 */
const watchedAt = async (folders: readonly WatchedFolder[], path: string): Promise<WatchedFolder | undefined> => {
  const known = folders.find((folder) => folder.path === path);
  if (known) return known;
  const [wanted, ...places] = await Promise.all([path, ...folders.map((folder) => folder.path)].map(placeOf));
  return wanted === undefined ? undefined : folders[places.indexOf(wanted)];
};

const patience = createPatience();

/**
 * Resolves to the identity of a folder on this computer; undefined if the folder is not there, or if its drive does not
 * number its files.
 */
const placeOf = async (path: string): Promise<string | undefined> => {
  try {
    const { dev, ino } = await patience(path, () => stat(path, { bigint: true }));
    return ino === 0n ? undefined : `${dev} ${ino}`;
  } catch {
    return undefined;
  }
};

const rulesRow = ({ watchedId, path, AssignmentId, title, onClash, hours, paused }: WatchedFolder) => ({
  watched: watchedId,
  folder: path,
  assignment: AssignmentId ?? null,
  name: title,
  onClash,
  hours,
  paused,
});

const folderRow = (folder: WatchedFolder) => ({
  watched: folder.watchedId,
  folder: folder.path,
  assignment: folder.AssignmentId ?? null,
  state: folder.state,
  reason: folder.reason?.code,
  paused: folder.paused,
  settling: folder.settling,
  waiting: folder.waiting,
  toMatch: folder.toMatch,
  opensAt: isoTime(folder.opensAtMs),
});

const stateWords = (
  { state, reason, paused, settling, waiting, toMatch, opensAtMs }: WatchedFolder,
  { t, errorText }: Speech<'host'>,
): string =>
  [
    t(`cli.watch.state.${state === 'signed-out' ? 'signedOut' : state}`),
    ...(reason ? [errorText(reason).title] : []),
    ...(paused ? [t('table.batchState.paused')] : []),
    ...(settling > 0 ? [t('cli.watch.settling', { count: settling })] : []),
    ...(waiting > 0 ? [t('cli.watch.waiting', { count: waiting })] : []),
    ...(toMatch.files > 0 ? [t('cli.watch.toMatch', { count: toMatch.files })] : []),
    ...(opensAtMs !== undefined ? [t('cli.watch.opens', { at: formatTime(opensAtMs) })] : []),
  ].join(', ');

const hoursWords = (hours: WatchedRules['hours']): string => hours.map(({ from, to }) => `${from}-${to}`).join(', ');

const columns = ({ t }: Speech<'host'>): readonly Column<WatchedFolder>[] => [
  { title: '#', cell: ({ watchedId }) => String(watchedId) },
  { title: t('table.title.folder'), cell: ({ path }) => path, whole: true },
  {
    title: t('table.title.assignment'),
    cell: ({ AssignmentId, title }) => title ?? AssignmentId ?? t('cli.watch.matched'),
  },
  { title: t('cli.watch.hours'), cell: ({ hours }) => hoursWords(hours) },
];
