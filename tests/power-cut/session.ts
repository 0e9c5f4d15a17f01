/**
 * A session of the app from the first sign-in on, whose system calls are recorded: uploads, a replacement, a
 * cancellation, a watched folder, a change without a connection. Every promise is recorded as soon as the app has made
 * it, and so is every refusal. After a refusal, the session continues with the steps that do not depend on it.
 *
 *     node tests/power-cut/session.ts <empty directory>
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromErrorData } from '../../src/contract/errors.ts';
import { isBeingCancelled } from '../../src/contract/uploads.ts';
import type { Desk } from '../../src/main/core/desk.ts';
import type { FaultRule } from '../../src/sandbox/faults/fault-plan.ts';
import { assignmentIds, callWith, signIn } from '../../src/sandbox/testing/client.ts';
import { contentOf, openApp, openWorld, placeIn } from './place.ts';

const [directory = ''] = process.argv.slice(2);
const place = placeIn(directory);
for (const folder of [place.world, place.office]) mkdirSync(folder, { recursive: true, mode: 0o700 });

const write = (path: string, version = 1): void => {
  const file = join(place.office, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contentOf(path, version));
};
const inFolder = (folder: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${folder}/${at % 3 === 0 ? 'photos/' : ''}file ${at}.txt`);

const { sandbox, control } = await openWorld(place);
const all = assignmentIds(callWith(sandbox, (await signIn(sandbox)).access_token));
const [first = '', second = '', third = '', watched = ''] = await all;
place.promise({ what: 'world', port: sandbox.port, assignments: [first, second, third, watched] });
for (const path of [...inFolder('north', 7), ...inFolder('south', 9), ...inFolder('given up', 8)]) write(path);
mkdirSync(join(place.office, 'scans'));
const lose = (contains: string): FaultRule => ({
  match: { route: 'storage-put', contains },
  when: { count: 1 },
  effect: { type: 'reset', at: 'after-body' },
});
await control.faults.add(lose('file%202'), lose('file%205'));

/** Makes a step of the session. Resolves to undefined if the app refuses it. */
const attempt = async <T>(step: string, work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    place.say(step, error);
    return undefined;
  }
};

const storedOn = async (assignment: string): Promise<number> =>
  (await control.objects()).filter(({ AssignmentId }) => AssignmentId === assignment).length;
/** Waits until `is` returns true. After a refusal, this may never happen, so the wait is short. */
const until = async (is: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < (place.said().length > 0 ? 40 : 400) && !(await is()); tries += 1) await sleep(25);
};

// If the app cannot be opened, the user tries once more.
const open = () => attempt('open', () => openApp(place, sandbox));
const desk = (await open()) ?? (await open());
if (desk !== undefined) {
  await useApp(desk);
  for (const notice of (await desk.handlers.app.snapshot(undefined)).notices)
    place.say('notice', fromErrorData(notice));
  await attempt('close', desk.close);
}
await sandbox.close();

async function useApp({ handlers, connected, adopt, drafts }: Desk): Promise<void> {
  const signIn = () =>
    attempt('sign in', async () => {
      await connected().session.signIn();
      place.promise({ what: 'signed-in' });
      return true;
    });
  if (!((await signIn()) ?? (await signIn()))) return;

  const limit = (bytesPerSecond: number) =>
    attempt('limit', async () => {
      place.promise({ what: 'limit-asked', bytesPerSecond });
      await handlers.preferences.set({ uploadLimit: { bytesPerSecond, schedule: [] } });
      place.promise({ what: 'limit', bytesPerSecond });
      return true;
    });
  await limit(4_000_000);

  type Begun = { readonly batchId: string; readonly root: string; readonly AssignmentId: string };
  const start = (folder: string, AssignmentId: string, onClash: 'rename' | 'replace' = 'rename') =>
    attempt(`start ${folder}`, async (): Promise<Begun> => {
      const root = join(place.office, folder);
      const { batchId } = await connected().uploads.start({ root, assignmentId: AssignmentId, onClash });
      place.promise({ what: 'started', batchId, root, AssignmentId });
      return { batchId, root, AssignmentId };
    });
  /** Waits for the end of the upload. Resolves to whether its state is `wanted`. */
  const ends = async (batch: Begun | undefined, wanted: 'finished' | 'cancelled'): Promise<boolean> =>
    batch !== undefined &&
    (await attempt(`${wanted} ${basename(batch.root)}`, async () => {
      const { state, reason } = await connected().uploads.ended(batch.batchId);
      if (state !== wanted) throw reason ? fromErrorData(reason) : new Error(`the upload is ${state}`);
      place.promise({ what: wanted, ...batch });
      return true;
    })) === true;

  const isSent = await ends(await start('north', first), 'finished');
  await attempt('plan-after', async () => {
    await control.faults.add({ match: { route: 'any' }, effect: { type: 'reset', at: 'before-body' } });
    await handlers.assignments.planAfter({ AssignmentId: second, PlanAfter: 86_400 });
    place.promise({ what: 'plan-after', AssignmentId: second, PlanAfter: 86_400 });
  });
  await control.faults.clear();
  await attempt('send', async () => handlers.outbox.send(undefined));

  const startReviewed = (folder: string, AssignmentId: string) =>
    attempt(`review ${folder}`, async (): Promise<Begun> => {
      const root = join(place.office, folder);
      await handlers.drafts.open({ folderIds: [adopt({ root }).folderId], AssignmentId });
      while (drafts.current()?.phase !== 'ready') await sleep(5);
      const { rows } = await handlers.drafts.rows({ filter: 'all', descending: false, offset: 0, limit: 10 });
      await handlers.drafts.assign({ rowIds: rows.map(({ rowId }) => rowId), AssignmentId });
      const { uploadId } = await handlers.drafts.start(undefined);
      const { uploads } = connected();
      const [batch, ...others] = (await uploads.list()).filter((one) => one.uploadId === uploadId);
      if (batch === undefined || others.length > 0) throw new Error(`${folder} is not one upload`);
      const begun = { batchId: batch.batchId, root, AssignmentId };
      place.promise({ what: 'started', ...begun });
      // If the choice cannot be stored, the upload starts anyway, and a notice reports the error.
      const { notices } = await handlers.app.snapshot(undefined);
      if (notices.length === 0) place.promise({ what: 'chosen' });
      return begun;
    });
  const south = await startReviewed('south', second);
  if (isSent) for (const path of inFolder('north', 3)) write(path, 2);
  await ends(south, 'finished');
  if (isSent) await ends(await start('north', first, 'replace'), 'finished');

  await attempt('watch', async () => {
    const { folderId } = adopt({ root: join(place.office, 'scans') });
    const rules = { AssignmentId: watched, onClash: 'rename', hours: [] } as const;
    await handlers.watchedFolders.add({ folderId, rules, existing: true });
    place.promise({ what: 'watched', root: join(place.office, 'scans'), AssignmentId: watched });
  });
  for (const path of inFolder('scans', 4)) write(path);

  const givenUp = (await limit(60_000)) ? await start('given up', third) : undefined;
  if (givenUp !== undefined) await until(async () => (await storedOn(third)) > 0);
  if (
    givenUp !== undefined &&
    (await attempt('cancel', async () => {
      await connected().uploads.cancel(givenUp.batchId);
      return true;
    }))
  )
    await ends(givenUp, 'cancelled');

  await limit(4_000_000);
  await until(async () => (await storedOn(watched)) === 4);
  await until(async () => {
    const { batches, watchedFolders } = await handlers.app.snapshot(undefined);
    return (
      batches.every(({ state }) => state !== 'scanning' && state !== 'running') &&
      watchedFolders.every(({ settling, waiting }) => settling + waiting === 0)
    );
  });

  // The user resumes interrupted uploads, and cancels again those that were being cancelled.
  const { batches } = await handlers.app.snapshot(undefined);
  for (const batch of batches.filter(({ state }) => state === 'paused')) {
    const { batchId, root } = batch;
    const isCancelled = isBeingCancelled(batch);
    await attempt(`${isCancelled ? 'cancel' : 'resume'} ${basename(root)}`, async () => {
      const { uploads } = connected();
      await (isCancelled ? uploads.cancel(batchId) : uploads.resume(batchId));
      const { state, reason } = await uploads.ended(batchId);
      if (state !== (isCancelled ? 'cancelled' : 'finished'))
        throw reason ? fromErrorData(reason) : new Error(`the upload is ${state}`);
    });
  }
}
