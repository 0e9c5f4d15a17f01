/** Makes random calls through the real dispatcher to a real desk with a service. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { calls } from '../../../src/contract/calls.ts';
import { DeskError } from '../../../src/contract/errors.ts';
import { createDispatcher } from '../../../src/main/core/handlers/handlers.ts';
import { createRandom } from '../../../src/sandbox/sample/sample-data.ts';
import { openSignedIn, withoutBackoff } from '../../integration/support/desks.ts';
import { makeDirectory, writeTree } from '../../integration/support/folders.ts';
import { createHostileInput } from './hostile-input.ts';
import { answerAs, type HostileService } from './start-hostile-service.ts';

/** A text that no response and no upload may contain. */
const CANARY = 'canary-7c1f2b';
const AT_ONCE = 24;
/**
 * The desk is connected and signed in again after this many calls were refused for lack of a connection or a session.
 */
const BACK_AFTER = 40;
/** With at least this many calls, every declared call has to succeed at least once. */
const ENOUGH_FOR_ALL = 100_000;
/** The share of honest calls: with ids and folders that exist. */
const HONEST = 0.1;

/** Calls that take long if they are accepted. Most of them get an invalid input. */
const costly = new Set([
  'offline.start',
  'uploads.start',
  'drafts.open',
  'drafts.add',
  'uploads.preview',
  'connection.set',
  'connection.useSample',
  'connection.leaveSample',
  'session.signOut',
  'export.begin',
  'cache.clear',
]);

/** Calls that only make sense while another call is in progress. One of them follows that call immediately. */
const followUps = new Map([
  ['session.signIn', ['session.openAgain', 'session.copyAddress']],
  ['uploads.start', ['uploads.pause', 'uploads.resume', 'uploads.cancel']],
]);

/** Other calls soon discard a draft. So after each attempt to open a draft, all calls about drafts are made at once. */
const ofDrafts = ({ name }: Call): boolean => name.startsWith('drafts.');

type Call = { readonly name: string; readonly input: unknown };

const declared: readonly Call[] = Object.entries(calls).flatMap(([group, methods]) =>
  Object.entries(methods).map(([method, { input }]) => ({ name: `${group}.${method}`, input })),
);

/** Receipts that a call saved next to the folder of an upload, in the language that another call chose. */
const receiptBeside =
  /^chosen(?:\/photos)? (receipts?|kvitton?|Belege?) \d{4}-\d\d-\d\d( \(\d+\))?(\.(csv|json|xlsx)|(\/.*)?)$/;

const below = (root: string): readonly string[] => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();

/** Formats an input for the message of a failure. */
const shown = (input: unknown): string => {
  try {
    return JSON.stringify(input)?.slice(0, 300) ?? String(input);
  } catch {
    return `a value that JSON does not take (${typeof input})`;
  }
};

/**
 * Makes `count` calls. Expects that none reports a bug, that no response contains a secret, and that files are read and
 * written only in the data directory, in the chosen folder, next to this folder (receipts), and at the chosen place for
 * saving.
 */
export const fuzzCalls = async (service: HostileService, count: number, seed: string): Promise<void> => {
  withoutBackoff();
  const random = createRandom('fuzz', seed);
  const root = makeDirectory();
  for (const folder of ['home', 'chosen', 'saved', 'outside']) mkdirSync(join(root, folder));
  writeTree(join(root, 'chosen'), { 'report.txt': 'a report', 'photos/roof.jpg': 'a roof' });
  writeFileSync(join(root, 'outside', 'secret.txt'), CANARY);
  const secrets = [CANARY];
  service.attack('token', async ({ response, honest }) => {
    const answer = await honest();
    for (const [, secret] of answer.body.matchAll(/"(?:access|refresh)_token":"([^"]+)"/g)) secrets.push(secret ?? '');
    answerAs(response, answer);
  });

  const { baseUrl, authUrl, clientId } = service.address;
  /** Whether the user completes every sign-in. If not, the user ignores half of them. */
  let comesBack = true;
  const desk = await openSignedIn({
    sandbox: service.address,
    home: join(root, 'home'),
    host: {
      // In `openExternal`, the user sometimes does nothing. The sign-in then waits, and can be opened again, copied or
      // cancelled.
      pickFolder: async () => join(root, 'chosen'),
      pickSavePath: async (name) => join(root, 'saved', name),
      showInFolder: () => {},
      openFile: async () => {},
      chooseFileAction: async () => 'open',
      copyText: async () => {},
      startSample: async () => ({
        ...service.address,
        port: Number(new URL(baseUrl).port),
        ended: new Promise(() => {}),
        close: async () => {},
      }),
      openExternal: async (url) => {
        if (!comesBack && random.chance(0.5)) return;
        const answer = await fetch(url).catch(() => undefined);
        if (answer?.ok !== true) throw new DeskError('auth/browser', 'the page does not open');
      },
    },
  });
  const before = below(root).filter((path) => !/^(home|saved)\//.test(path));

  const bugs: string[] = [];
  const { dispatch } = createDispatcher(desk.handlers, (error) => {
    bugs.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  });
  const projects = await desk.handlers.assignments.projects({});
  const protocols = await desk.handlers.protocols.list({});
  const { folderId } = desk.adopt({ root: join(root, 'chosen') });
  const assignments = projects.value.Items.slice(0, 2).map(({ AssignmentId }) => AssignmentId);
  const { batchId } = await desk.upload(join(root, 'chosen'), assignments[0] ?? '');
  const uploaded = await desk.handlers.assignments.knownFiles({ AssignmentId: assignments[0] ?? '' });
  const known = {
    folderId: [folderId],
    folderIds: [folderId],
    Key: uploaded.map(({ Key }) => Key),
    AssignmentId: assignments,
    InspectionProtocolId: protocols.value.Items.slice(0, 5).map(({ InspectionProtocolId }) => InspectionProtocolId),
    batchId: [batchId],
    batchIds: [batchId],
    baseUrl: [baseUrl],
    authUrl: [authUrl],
    clientId: [clientId],
    paths: [join(root, 'outside'), join(root, 'outside', 'secret.txt'), '../outside/secret.txt'],
  };

  /** The rows of the current draft. */
  let rowIds: readonly number[] = [];
  const inputs = createHostileInput(random, known, () => rowIds);
  comesBack = false;
  const findings = new Set<string>();
  /** The calls that succeeded. If all calls were refused, the fuzz would show nothing. */
  const succeeded = new Set<string>();
  let refusals = 0;
  const inputFor = ({ name, input: schema }: Call, isHonest: boolean): unknown => {
    if (isHonest) return inputs.honest(schema);
    return costly.has(name) && random.chance(0.9) ? { input: inputs.any() } : inputs.by(schema);
  };
  const make = async (call: Call, isHonest = random.chance(HONEST)): Promise<void> => {
    const { name } = call;
    const input = inputFor(call, isHonest);
    const answer = JSON.stringify(await dispatch(name, input));
    if (answer.startsWith('{"ok":true')) succeeded.add(name);
    const newBatch = name === 'uploads.start' && /"batchId":"([^"]+)"/.exec(answer)?.[1];
    if (newBatch) known.batchId.splice(1, 1, newBatch);
    if (/^{"ok":false,"error":{"code":"(?:connection\/missing|auth\/required)"/.test(answer)) refusals += 1;
    if (answer.includes('"app/bug"')) findings.add(`${name}(${shown(input)}): ${bugs.at(-1)}`);
    if (secrets.some((one) => answer.includes(one)) || /[?&](?:signature|code|state)=/.test(answer)) {
      findings.add(`${name}(${shown(input)}) answers a secret`);
    }
  };
  const comeBack = async (): Promise<void> => {
    comesBack = true;
    await dispatch('connection.set', { baseUrl, authUrl, clientId });
    await dispatch('session.cancelSignIn', undefined);
    await dispatch('session.signIn', undefined);
    comesBack = false;
    refusals = 0;
  };
  let coming: Promise<void> | undefined;
  /** Concurrent calls share one new sign-in. */
  const back = (): Promise<void> => {
    coming ??= comeBack().finally(() => {
      coming = undefined;
    });
    return coming;
  };
  /** Sign-ins in progress, which may wait for the user until the end. */
  const waiting: Promise<void>[] = [];

  const workOnDraft = async (): Promise<void> => {
    for (const one of declared.filter(ofDrafts)) {
      const rows = JSON.stringify(await dispatch('drafts.rows', { descending: false, offset: 0, limit: 10 }));
      rowIds = [...rows.matchAll(/"rowId":(\d+)/g)].map(([, id]) => Number(id));
      await make(one, true);
    }
  };
  let made = 0;
  const work = async (): Promise<void> => {
    while (made < count && findings.size < 10) {
      made += 1;
      if (refusals >= BACK_AFTER) await back();
      const call = random.pick(declared);
      const answered = make(call);
      if (call.name === 'session.signIn') waiting.push(answered);
      else await answered;
      const after = declared.filter(({ name }) => followUps.get(call.name)?.includes(name));
      if (after.length > 0) await make(random.pick(after), true);
      if (call.name === 'drafts.open') await workOnDraft();
    }
  };
  const opening = declared.find(({ name }) => name === 'drafts.open');
  // Works on a draft before the other calls begin, because these close almost every draft while it is being opened.
  if (opening) await make(opening, true);
  await workOnDraft();
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await back();
  await Promise.all(waiting);
  expect([...findings]).toEqual([]);
  expect(bugs).toEqual([]);
  expect(made).toBe(count);
  const refused = declared.map(({ name }) => name).filter((name) => !succeeded.has(name));
  if (count >= ENOUGH_FOR_ALL) expect(refused).toEqual([]);
  // How many succeed in a short run depends on what else the machine does.
  expect(refused.length).toBeLessThan(declared.length / 3);

  expect(await dispatch('app.snapshot', undefined)).toMatchObject({
    ok: true,
    value: { session: { state: 'signed-in' } },
  });
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  await desk.close();
  const after = below(root).filter((path) => !/^(home|saved)\//.test(path) && !receiptBeside.test(path));
  expect(after).toEqual(before);
  expect(readdirSync(join(root, 'saved'), { withFileTypes: true }).filter((entry) => !entry.isFile())).toEqual([]);
  const sent = (await service.control.objects()).map(({ sha256 }) => sha256);
  expect(sent).not.toContain(createHash('sha256').update(CANARY).digest('hex'));
};
