/**
 * Opens the app on a disk as a power cut has left it. The app continues, and a user resumes and retries the remaining
 * uploads. Then everything that the app had promised before the cut has to hold.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Snapshot } from '../../src/contract/app.ts';
import type { Batch } from '../../src/contract/uploads.ts';
import type { Desk } from '../../src/main/core/desk.ts';
import type { StoredObject } from '../../src/sandbox/state/uploads.ts';
import type { Content } from './disk.ts';
import { contentOf, openApp, openWorld, type Place, type Promised } from './place.ts';

/** The timeout for everything that continues. Continuing takes a few seconds, but longer on a busy machine. */
const END_MS = 300_000;
const POLL_MS = 15;
/**
 * How many snapshots in a row have to show that everything is done. A watched folder may be scanned between two of
 * them.
 */
const STILL = 14;

/** Replaces the data directory and the world of `place` with these contents. */
export const fill = (place: Place, contents: readonly Content[]): void => {
  for (const folder of [place.home, place.world]) rmSync(folder, { recursive: true, force: true });
  for (const { folders, files } of contents) {
    for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [path, bytes] of files) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, bytes, { mode: 0o600 });
    }
  }
};

/** Opens the app in `place`, and continues until everything is done. Resolves to one line for each problem. */
export const continueIn = async (place: Place): Promise<readonly string[]> => {
  const promised = place.promised();
  const [port] = promised.flatMap((one) => (one.what === 'world' ? [one.port] : []));
  const { sandbox, control } = await openWorld(place, port);
  try {
    const desk = await openApp(place, sandbox);
    try {
      const problems = [...(await findAtStart(desk, promised))];
      const end = await runToEnd(desk);
      if (end === undefined) return [...problems, 'it does not come to an end', ...(await describe(desk))];
      const stored = await control.objects();
      problems.push(
        ...findInUploads(promised, end.batches, stored, place),
        ...findInWatched(promised, end, stored, place),
      );
      const planned = await control.planAfterValues();
      for (const one of promised)
        if (
          one.what === 'plan-after' &&
          !planned.some(
            ({ AssignmentId, PlanAfter }) => AssignmentId === one.AssignmentId && PlanAfter === one.PlanAfter,
          )
        )
          problems.push('a change that waited was not sent');
      return [...problems, ...bugsIn(place)];
    } finally {
      await desk.close();
    }
  } catch (error) {
    return [`the app fails: ${inspect(error, { depth: 4 })}`];
  } finally {
    await sandbox.close();
  }
};

/** Returns the unexpected errors in the app's log. */
const bugsIn = ({ home }: Place): readonly string[] =>
  readFileSync(join(home, 'logs', 'inspection-desk.log'), 'utf8')
    .split('\n')
    .filter((line) => /"event":"(bug|background)"/.test(line))
    .map((line) => `logged: ${line}`);

/**
 * Compares the state at the start with the promises. A setting may also have a value that was requested after the
 * promised one.
 */
const findAtStart = async ({ handlers }: Desk, promised: readonly Promised[]): Promise<readonly string[]> => {
  const { notices, session, preferences } = await handlers.app.snapshot(undefined);
  const isSigned = promised.some(({ what }) => what === 'signed-in');
  const limits = promised.flatMap((one) => (one.what === 'limit' || one.what === 'limit-asked' ? [one] : []));
  const since = limits.slice(
    Math.max(
      0,
      limits.findLastIndex(({ what }) => what === 'limit'),
    ),
  );
  const possible = [...(since[0]?.what === 'limit' ? [] : [undefined]), ...since.map((one) => one.bytesPerSecond)];
  const isChosen = promised.some(({ what }) => what === 'chosen');
  const rules = await handlers.rules.list(undefined);
  const isLimit = possible.includes(preferences.uploadLimit?.bytesPerSecond);
  return [
    ...notices.map(({ code }) => `notice: ${code}`),
    ...(isSigned && session.state !== 'signed-in' ? ['a sign-in is forgotten'] : []),
    ...(isLimit ? [] : ['a setting is forgotten']),
    ...(isChosen && rules.length === 0 ? ['a choice is forgotten'] : []),
  ];
};

const describe = async ({ handlers }: Desk): Promise<readonly string[]> => {
  const { batches, outbox, watchedFolders, session } = await handlers.app.snapshot(undefined);
  return [
    JSON.stringify(
      batches.map(({ root, state, failed, reason, uploaded, files }) => ({
        root: basename(root),
        state,
        failed,
        uploaded,
        files,
        code: reason?.code,
      })),
    ),
    JSON.stringify(watchedFolders),
    `${outbox.length} changes, ${session.state}`,
  ];
};

/** Does what a user would do until everything is done. Resolves to undefined if that takes too long. */
const runToEnd = async ({ handlers, connected }: Desk): Promise<Snapshot | undefined> => {
  const endsAt = performance.now() + END_MS;
  const { session, uploads } = connected();
  if (session.status().state !== 'signed-in') await session.signIn();
  // Sends as fast as possible, whatever limit the session had set.
  await handlers.preferences.set({ uploadLimit: { bytesPerSecond: 1_000_000_000, schedule: [] } });
  for (let still = 0; performance.now() < endsAt; ) {
    const snapshot = await handlers.app.snapshot(undefined);
    const open = snapshot.batches.filter(isOpen);
    for (const { batchId, state, failed, notReplaced = 0 } of open) {
      if (state === 'paused') await uploads.resume(batchId).catch(() => {});
      if (state === 'finished' && failed + notReplaced > 0) await uploads.retryFailed(batchId).catch(() => {});
    }
    const isDone =
      open.length === 0 &&
      snapshot.outbox.length === 0 &&
      snapshot.watchedFolders.every(({ state, settling, waiting }) => state === 'watching' && settling + waiting === 0);
    still = isDone ? still + 1 : 0;
    if (still === (snapshot.watchedFolders.length > 0 ? STILL : 1)) return snapshot;
    await sleep(POLL_MS);
  }
  return undefined;
};

const isOpen = ({ state, failed, notReplaced = 0 }: Batch): boolean =>
  state !== 'cancelled' && (state !== 'finished' || failed + notReplaced > 0);

const assignmentsIn = (promised: readonly Promised[]): readonly string[] =>
  promised.flatMap((one) => (one.what === 'world' ? one.assignments : []));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(root, path)).isFile());

/** Checks that each file is on its assignment once, with its content, and that no other file is. */
const findInUploads = (
  promised: readonly Promised[],
  batches: readonly Batch[],
  stored: readonly StoredObject[],
  { office }: Place,
): readonly string[] => {
  const ids = assignmentsIn(promised);
  const folders = ['north', 'south', 'given up'];
  return folders.flatMap((folder, at): readonly string[] => {
    const own = batches.filter(({ root }) => root === join(office, folder));
    const begun = promised.flatMap((one) => (one.what === 'started' && basename(one.root) === folder ? [one] : []));
    const lost = begun.filter(({ batchId }) => !own.some((batch) => batch.batchId === batchId));
    const isCancelled = own.some(({ state }) => state === 'cancelled');
    const wasCancelled = promised.some((one) => one.what === 'cancelled' && basename(one.root) === folder);
    const objects = stored.filter(({ AssignmentId }) => AssignmentId === ids[at]);
    const byName = Map.groupBy(objects, ({ FileName }) => FileName);
    const files = own.length === 0 ? [] : filesBelow(join(office, folder));
    // Files that were uploaded before the cancellation stay.
    const kept = own.reduce((total, { uploaded }) => total + uploaded, 0);
    const isReplaced = own.length > 1;
    const problems = files.flatMap((path): readonly string[] => {
      const [object, ...others] = byName.get(basename(path)) ?? [];
      if (object === undefined) return isCancelled ? [] : [`lost: ${folder}/${path}`];
      if (others.length > 0) return [`more than once: ${folder}/${path}`];
      const present = readFileSync(join(office, folder, path), 'utf8');
      const versions = isReplaced ? [present] : [1, 2].map((version) => contentOf(`${folder}/${path}`, version));
      return versions.some((version) => sha256(version) === object.sha256) ? [] : [`other bytes: ${folder}/${path}`];
    });
    const names = new Set(files.map((path) => basename(path)));
    return [
      ...lost.map(() => `an upload of ${folder} is forgotten`),
      ...(wasCancelled && !isCancelled ? [`a cancellation of ${folder} is forgotten`] : []),
      ...problems,
      ...(isCancelled && objects.length !== kept
        ? [`${objects.length} files of ${folder} are there, not ${kept}`]
        : []),
      ...objects
        .filter(({ FileName }) => !names.has(FileName))
        .map(({ FileName }) => `not asked for: ${folder}/${FileName}`),
      ...own
        .filter(
          ({ state, uploaded, skipped, files: counted }) => state === 'finished' && uploaded + skipped !== counted,
        )
        .map(() => `wrong counts of ${folder}`),
    ];
  });
};

const findInWatched = (
  promised: readonly Promised[],
  { watchedFolders }: Snapshot,
  stored: readonly StoredObject[],
  { office }: Place,
): readonly string[] => {
  const ids = assignmentsIn(promised);
  const objects = stored.filter(({ AssignmentId }) => AssignmentId === ids[3]);
  const [watched] = promised.flatMap((one) => (one.what === 'watched' ? [one] : []));
  const sums = objects.map((object) => object.sha256);
  const files = filesBelow(join(office, 'scans')).map((path) => join(office, 'scans', path));
  const problems = [
    ...(new Set(sums).size < sums.length ? ['more than once in a watched folder'] : []),
    ...(objects.length > files.length ? ['not asked for in a watched folder'] : []),
  ];
  if (watched === undefined) return problems;
  if (watchedFolders.length === 0) return [...problems, 'a watched folder is forgotten'];
  const lost = files.filter((path) => !sums.includes(sha256(readFileSync(path, 'utf8'))));
  return [...problems, ...lost.map((path) => `lost in a watched folder: ${path}`)];
};
