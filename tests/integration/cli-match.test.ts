/** Trees of job folders on the command line. Each folder goes to the assignment that its name or a map file gives. */
import { execFileSync } from 'node:child_process';
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type AssignmentList, type AssignmentSummary, isClosed } from '../../src/contract/resources.ts';
import { callWith, protocolPage, signIn } from '../../src/sandbox/testing/client.ts';
import { type CliOptions, cli, ofType, spawnCli } from './support/cli.ts';
import { withoutBackoff } from './support/desks.ts';
import { makeDirectory, type Tree, writeTree } from './support/folders.ts';
import { onWindows } from './support/runtime.ts';
import { always, expectStored, storedOn, useSandbox } from './support/sandbox.ts';
import { testOnce } from './support/test-once.ts';

const sandbox = useSandbox({ protocols: 12 });

/** Open assignments for projects whose address no other assignment and no protocol has. */
let apart: AssignmentSummary[];
let closed: AssignmentSummary | undefined;
let options: CliOptions;
beforeAll(async () => {
  const call = callWith(sandbox.address, (await signIn(sandbox.address)).access_token);
  const projects: AssignmentList = await (await call('GET', '/contractor/assignments/projects')).json();
  const addresses = projects.Items.map(({ Address }) => Address);
  for (let page = 1, read = 0, total = 1; read < total; page += 1) {
    const { Items, TotalCount } = await protocolPage(call, `?Page=${page}`);
    addresses.push(...Items.map(({ Address }) => Address));
    read += Items.length;
    total = TotalCount;
  }
  closed = projects.Items.find(({ AssignmentStatus }) => isClosed(AssignmentStatus));
  apart = projects.Items.filter(
    ({ Address, AssignmentStatus }) =>
      addresses.filter((one) => one === Address).length === 1 && !isClosed(AssignmentStatus),
  );
});
beforeEach(() => {
  withoutBackoff();
  options = { sandbox: sandbox.address, home: makeDirectory() };
});

/** Returns an assignment that no earlier test has used. */
const next = (): AssignmentSummary => {
  const assignment = apart.pop();
  if (assignment === undefined) throw new Error('the sandbox has no more assignments');
  return assignment;
};
/** Creates the folder to upload, with `tree` in it. Its name matches no address; a random name might. */
const makeJobs = (tree: Tree): string => {
  const root = join(makeDirectory(), 'jobs');
  writeTree(root, tree);
  return root;
};
const placeOf = ({ Address, City }: AssignmentSummary): string => `${Address}, ${City}`;
const map = (text: string): string => {
  const path = join(makeDirectory(), 'map.csv');
  writeFileSync(path, text);
  return path;
};

test('--match sends what is certain, lists the rest, and exits with 1', async () => {
  const [one, other, third] = [next(), next(), next()];
  const root = makeJobs({
    [`${placeOf(one)}/report.pdf`]: 'one',
    [`${placeOf(one)}/photos/1.jpg`]: 'a photo',
    [`${other.AssignmentId}/report.pdf`]: 'other',
    [`2026-05-12 ${placeOf(third).toUpperCase()} dokumentasjon/report.pdf`]: 'third',
    'Rua do Monte 1, Lisboa/report.pdf': 'foreign',
  });
  const run = await cli(['upload', root, '--match'], options);
  const matches = ofType(run, 'match');
  const decided = Object.fromEntries(
    matches.map(({ folder, assignment, decision }) => [folder, [assignment, decision]]),
  );
  expect(decided).toEqual({
    [placeOf(one)]: [one.AssignmentId, 'send'],
    [other.AssignmentId]: [other.AssignmentId, 'send'],
    [`2026-05-12 ${placeOf(third).toUpperCase()} dokumentasjon`]: [third.AssignmentId, 'send'],
    'Rua do Monte 1, Lisboa': [null, expect.stringMatching(/^(ask|none)$/)],
  });
  expect(matches.find(({ folder }) => folder === other.AssignmentId)).toMatchObject({
    certainty: expect.any(Number),
    reasons: expect.arrayContaining([expect.objectContaining({ signal: 'assignment-id' })]),
    candidates: expect.arrayContaining([{ assignment: other.AssignmentId, certainty: expect.any(Number) }]),
  });
  expect(run.exitCode).toBe(1);
  expect(run.lines.at(-1)).toMatchObject({
    type: 'summary',
    upload: expect.any(String),
    folders: 4,
    send: 3,
    files: 4,
    uploaded: 4,
    failed: 0,
  });
  await expectStored(sandbox.control, one.AssignmentId, { 'report.pdf': 'one', 'photos/1.jpg': 'a photo' });
  await expectStored(sandbox.control, other.AssignmentId, { 'report.pdf': 'other' });
  await expectStored(sandbox.control, third.AssignmentId, { 'report.pdf': 'third' });
  const { lines } = await cli(['uploads', 'list'], options);
  const upload = run.lines.at(-1)?.upload;
  expect(lines[0]?.batches).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ upload })));
});

testOnce('--dry-run decides the same, and sends and records nothing', async () => {
  const one = next();
  const root = makeJobs({ [`${placeOf(one)}/report.pdf`]: 'one', 'Somewhere/x.txt': 'x' });
  const run = await cli(['upload', root, '--match', '--dry-run'], options);
  expect(run.exitCode).toBe(1);
  const decided = Object.fromEntries(ofType(run, 'match').map(({ folder, decision }) => [folder, decision]));
  expect(decided).toEqual({ [placeOf(one)]: 'send', Somewhere: expect.stringMatching(/^(ask|none)$/) });
  expect(ofType(run, 'file')).toMatchObject([{ state: 'planned', path: 'report.pdf', assignment: one.AssignmentId }]);
  expect(run.lines.at(-1)).toMatchObject({ type: 'summary', upload: null, files: 1, uploaded: 0 });
  expect(await storedOn(sandbox.control, one.AssignmentId)).toEqual([]);
  expect((await cli(['uploads', 'list'], options)).lines).toEqual([{ batches: [] }]);
});

test('everything certain exits with 0; a chosen folder that is the job itself has an empty path', async () => {
  const one = next();
  const root = join(
    makeJobs({ [`${placeOf(one)}/photos/1.jpg`]: 'one', [`${placeOf(one)}/a.pdf`]: 'a' }),
    placeOf(one),
  );
  const run = await cli(['upload', root, '--match'], options);
  expect(ofType(run, 'match').map(({ folder, assignment }) => [folder, assignment])).toEqual([['', one.AssignmentId]]);
  expect(run.exitCode).toBe(0);
});

test('a folder inside another one is matched once, as a part of that one', async () => {
  const one = next();
  const root = makeJobs({ [`${placeOf(one)}/report.pdf`]: 'one' });
  const run = await cli(['upload', join(root, placeOf(one)), root, '--match', '--dry-run'], options);
  expect(ofType(run, 'match')).toMatchObject([{ root, folder: placeOf(one), assignment: one.AssignmentId, files: 1 }]);
});

test('a map file wins over names, and the rest is matched or left', async () => {
  const [one, other] = [next(), next()];
  const root = makeJobs({ [`${placeOf(one)}/a.pdf`]: 'a', 'B/deep/b.pdf': 'b', 'B/loose.pdf': 'l', 'C/c.pdf': 'c' });
  const text = `path;assignment\n"${placeOf(one)}";${other.AssignmentId}\nB/deep;${one.AssignmentId.toUpperCase()}\n`;
  const left = await cli(['upload', root, '--map', map(text), '--dry-run'], options);
  const decided = (run: typeof left) =>
    ofType(run, 'match').map(({ folder, assignment, decision }) => [folder, assignment, decision]);
  expect(decided(left)).toEqual(
    expect.arrayContaining([
      [placeOf(one), other.AssignmentId, 'send'],
      ['B/deep', one.AssignmentId, 'send'],
      ['B', null, 'none'],
      ['C', null, 'none'],
    ]),
  );
  expect(decided(left)).toHaveLength(4);
  const run = await cli(['upload', root, '--map', map(text), '--match'], options);
  expect(run.exitCode).toBe(1);
  await expectStored(sandbox.control, other.AssignmentId, { 'a.pdf': 'a' });
  await expectStored(sandbox.control, one.AssignmentId, { 'b.pdf': 'b' });
});

testOnce('a wrong map file is refused with its lines, before anything is sent', async () => {
  const one = next();
  const root = makeJobs({ 'A/a.pdf': 'a', 'B/b.pdf': 'b' });
  const text = [
    ...['path,assignment', `A,${one.AssignmentId}`, `../B,${one.AssignmentId}`, `Z,${one.AssignmentId}`],
    'B,00000000-0000-4000-8000-000000000000',
    `A,${one.AssignmentId}`,
  ].join('\n');
  const run = await cli(['upload', root, '--map', map(text)], options);
  expect(run.exitCode).toBe(2);
  expect(ofType(run, 'problem').map(({ line, kind }) => [line, kind])).toEqual([
    [3, 'path-outside'],
    [4, 'path-unmatched'],
    [5, 'assignment-unknown'],
    [6, 'folder-twice'],
  ]);
  expect(run.lines.at(-1)).toMatchObject({ type: 'error', error: { code: 'upload/map-invalid' } });
  expect(run.stderr).toContain('3');
  expect(await storedOn(sandbox.control, one.AssignmentId)).toEqual([]);
});

test('B11: a map file that is too large, a pipe or a device is refused at once', async () => {
  const large = map('');
  truncateSync(large, 16_000_001);
  const run = (path: string) => cli(['upload', makeJobs({ 'a.txt': 'a' }), '--map', path], { ...options, words: true });
  expect(await run(large)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is larger than 16 MB') });
  if (onWindows) return;
  const pipe = join(makeDirectory(), 'pipe.csv');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, '/dev/zero', makeDirectory()])
    expect(await run(path)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be read') });
});

testOnce(
  'a map file with very many mistakes names the first of them in its error, and each in a line of its own',
  async () => {
    const root = makeJobs({ 'A/a.pdf': 'a' });
    const text = ['path,assignment', ...Array.from({ length: 60 }, () => 'A,nobody')].join('\n');
    const run = await cli(['upload', root, '--map', map(text), '--dry-run'], options);
    expect(ofType(run, 'problem')).toHaveLength(60);
    expect(run.lines.at(-1)).toMatchObject({
      error: { details: { lines: expect.stringMatching(/^2, 3, .* 21, …$/) } },
    });
  },
);

testOnce('--offline needs no service; without it an unreachable service is an error', async () => {
  const one = next();
  const root = makeJobs({ [`${placeOf(one)}/a.pdf`]: 'a' });
  const match = ['upload', root, '--match', '--dry-run'];
  expect((await cli([...match, '--offline'], options)).lines.at(-1)).toMatchObject({
    error: { code: 'cache/missing' },
  });
  expect((await cli(match, options)).exitCode).toBe(0);
  const before = (await sandbox.control.stats()).routes;
  expect((await cli([...match, '--offline'], options)).exitCode).toBe(0);
  expect((await sandbox.control.stats()).routes).toEqual(before);

  await sandbox.control.faults.add(always('list-project-assignments', { type: 'status', status: 503 }));
  const fresh = { ...options, home: makeDirectory() };
  expect((await cli(match, fresh)).exitCode).toBe(4);
  await sandbox.control.faults.clear();
  await sandbox.control.faults.add(always('list-project-assignments', { type: 'status', status: 500 }));
  expect((await cli(match, fresh)).lines.at(-1)).toMatchObject({ error: { code: 'service/failed' } });
});

testOnce('an assignment that is gone holds back its folder alone', async () => {
  const [one, gone] = [next(), next()];
  const root = makeJobs({ [`${placeOf(one)}/a.pdf`]: 'a', [`${placeOf(gone)}/b.pdf`]: 'b' });
  await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 404 }, gone.AssignmentId));
  const run = await cli(['upload', root, '--match'], options);
  expect(run.exitCode).toBe(1);
  expect(run.lines.at(-1)).toMatchObject({ type: 'summary', uploaded: 1, failed: 1 });
  await expectStored(sandbox.control, one.AssignmentId, { 'a.pdf': 'a' });
});

testOnce('more folders than are scanned at once, and names that clash between folders of one assignment', async () => {
  const one = next();
  const folders = Array.from({ length: 24 }, (_, at) => [`${placeOf(one)} part ${at}/plan.pdf`, `plan ${at}`] as const);
  const root = makeJobs(Object.fromEntries(folders));
  const names = readdirSync(root).map((name) => `"${name}",${one.AssignmentId}`);
  const text = `path,assignment\n${names.join('\n')}\n`;
  const skipping = ['upload', root, '--map', map(text), '--on-clash', 'skip'];
  const plan = await cli([...skipping, '--dry-run'], options);
  expect(ofType(plan, 'file').filter(({ clash }) => clash === 'skip')).toHaveLength(23);
  const run = await cli(['upload', root, '--map', map(text)], options);
  expect(run.exitCode).toBe(0);
  expect(await storedOn(sandbox.control, one.AssignmentId)).toHaveLength(24);
});

testOnce('dry runs compare the content of large files in one thread, whatever the number of assignments', async () => {
  const ids = [next(), next()].map(({ AssignmentId }) => AssignmentId);
  const photo = 'x'.repeat(600_000);
  const photos = { 'north/photo.jpg': photo, 'south/photo.jpg': photo };
  const root = makeJobs(photos);
  const text = `path,assignment\nnorth,${ids[0]}\nsouth,${ids[1]}\n`;
  const args = ['upload', root, '--map', map(text)];
  expect(await cli(args, options)).toMatchObject({ exitCode: 0 });
  // The files have new times, so their facts do not tell that they were sent.
  writeTree(root, photos);
  const started: (string | null)[] = [];
  const note = ({ threadName }: Worker): void => void started.push(threadName);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  for (const _ of [1, 2]) expect(await cli([...args, '--dry-run'], options)).toMatchObject({ exitCode: 0 });
  expect(started.filter((name) => name === 'hashing')).toHaveLength(1);
});

testOnce('every folder for a closed assignment is warned of, also those of a long list', async () => {
  const names = Array.from({ length: 1_001 }, (_, at) => `folder ${at}`);
  const root = makeJobs(Object.fromEntries(names.map((name) => [`${name}/${name}.txt`, name])));
  const text = `path,assignment\n${names.map((name) => `${name},${closed?.AssignmentId}`).join('\n')}\n`;
  const run = await cli(['upload', root, '--map', map(text), '--dry-run'], { ...options, words: true });
  expect(run.stderr.match(/^warning: .* with the status/gm)).toHaveLength(1_001);
});

testOnce('people get a table, and what to do with the rest', async () => {
  const one = next();
  const root = makeJobs({ [`${placeOf(one)}/a.pdf`]: 'a', 'Somewhere/x.txt': 'x' });
  const run = await cli(['upload', root, '--match'], { ...options, words: true });
  expect(run.stdout).toMatch(/^Folder +Decision +Certainty +Assignment +Files +Size\n/);
  expect(run.stdout).toContain('certain');
  expect(run.stderr).toContain('1 folder has no certain assignment.');
});

test('a process of its own exits as the command does', async () => {
  const root = makeJobs({ 'Somewhere/x.txt': 'x' });
  expect(await spawnCli(['upload', root, '--match', '--dry-run'], options)).toMatchObject({
    exitCode: 1,
    signal: null,
  });
});

testOnce('Ctrl-C while the draft is being opened ends the command', async () => {
  vi.stubEnv('DRAFT_CHANNEL', options.home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const draftWorker = new URL('./support/draft-worker-that-waits.ts', import.meta.url);
  const channel = new BroadcastChannel(options.home);
  onTestFinished(() => channel.close());
  const interrupt = new AbortController();
  channel.onmessage = () => {
    interrupt.abort();
    channel.postMessage('go on');
  };
  const run = await cli(['upload', options.home, '--match'], { ...options, draftWorker, signal: interrupt.signal });
  expect(run).toMatchObject({ exitCode: 130, lines: [{ type: 'error', error: { code: 'app/cancelled' } }] });
});
