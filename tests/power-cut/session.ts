/**
 * A session of the app, from the first sign-in on, for a recording of its system calls: uploads, a replacement, a cancellation, a watched
 * folder, a change without a connection. Each promise is written down as soon as the app has made it.
 *
 *   node tests/power-cut/session.ts <empty directory>
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

const desk = await openApp(place, sandbox);
const { handlers, connected, adopt } = desk;
await connected().session.signIn();
place.promise({ what: 'signed-in' });

const limit = async (bytesPerSecond: number): Promise<void> => {
  await handlers.preferences.set({ uploadLimit: { bytesPerSecond, schedule: [] } });
  place.promise({ what: 'limit' });
};
await limit(4_000_000);

const start = async (folder: string, AssignmentId: string, onClash: 'rename' | 'replace' = 'rename') => {
  const root = join(place.office, folder);
  const { batchId } = await connected().uploads.start({ root, assignmentId: AssignmentId, onClash });
  place.promise({ what: 'started', batchId, root, AssignmentId });
  return { batchId, root, AssignmentId };
};
const end = async (batch: Awaited<ReturnType<typeof start>>): Promise<void> => {
  const { state } = await connected().uploads.ended(batch.batchId);
  if (state !== 'finished') throw new Error(`the upload of ${batch.root} is ${state}`);
  place.promise({ what: 'finished', ...batch });
};

await end(await start('north', first));
await control.faults.add({ match: { route: 'any' }, effect: { type: 'reset', at: 'before-body' } });
await handlers.assignments.planAfter({ AssignmentId: second, PlanAfter: 86_400 });
place.promise({ what: 'plan-after', AssignmentId: second, PlanAfter: 86_400 });
await control.faults.clear();
await handlers.outbox.send(undefined);

/** Starts the upload of a folder that was reviewed, and whose assignment a person has chosen. */
const startReviewed = async (folder: string, AssignmentId: string) => {
  const root = join(place.office, folder);
  await handlers.drafts.open({ folderIds: [adopt({ root }).folderId], AssignmentId });
  while ((await handlers.drafts.get(undefined))?.phase !== 'ready') await sleep(5);
  const { rows } = await handlers.drafts.rows({ filter: 'all', descending: false, offset: 0, limit: 10 });
  await handlers.drafts.assign({ rowIds: rows.map(({ rowId }) => rowId), AssignmentId });
  const { uploadId } = await handlers.drafts.start(undefined);
  const { uploads, connectionId } = connected();
  const [batch, ...others] = (await uploads.list(connectionId)).filter((one) => one.uploadId === uploadId);
  if (batch === undefined || others.length > 0) throw new Error(`${folder} is not one upload`);
  const begun = { batchId: batch.batchId, root, AssignmentId };
  place.promise({ what: 'started', ...begun });
  place.promise({ what: 'chosen' });
  return begun;
};

const south = await startReviewed('south', second);
for (const path of inFolder('north', 3)) write(path, 2);
await end(south);
await end(await start('north', first, 'replace'));

const { folderId } = adopt({ root: join(place.office, 'scans') });
const rules = { AssignmentId: watched, onClash: 'rename', hours: [] } as const;
await handlers.watchedFolders.add({ folderId, rules, existing: true });
place.promise({ what: 'watched', root: join(place.office, 'scans'), AssignmentId: watched });
for (const path of inFolder('scans', 4)) write(path);

await limit(60_000);
const givenUp = await start('given up', third);
await sleep(300);
await connected().uploads.cancel(givenUp.batchId);
await connected().uploads.ended(givenUp.batchId);
place.promise({ what: 'cancelled', ...givenUp });

await limit(4_000_000);
for (let tries = 0; tries < 400; tries += 1) {
  const stored = (await control.objects()).filter(({ AssignmentId }) => AssignmentId === watched);
  if (stored.length === 4) break;
  await sleep(25);
}
await sleep(300);
await desk.close();
await sandbox.close();
