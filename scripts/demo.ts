/**
 * Runs the app's main task in the terminal: signs in to a sandbox, lists protocols, uploads a folder, and reads every
 * object back. Exits with 0 only if every file arrived exactly once, byte for byte.
 *
 *     npm run demo [-- --folder DIR] [-- --files N]
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DeskError, toErrorData } from '../src/contract/errors.ts';
import { createDesk, type Desk } from '../src/main/core/desk.ts';
import { followBatch } from '../src/main/hosts/headless/support/follow.ts';
import { createFileLines, createOutput, formatTable } from '../src/main/hosts/headless/support/output.ts';
import { createCliHost } from '../src/main/hosts/headless/support/with-desk.ts';
import { exitCodeOf } from '../src/main/hosts/shared/exit-codes.ts';
import { sourceParts } from '../src/main/hosts/shared/source-parts.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { createSandboxControl, type SandboxControl } from '../src/sandbox/testing/control-client.ts';
import { createHostSpeech } from '../src/words/speech.ts';
import { writeDemoFiles } from './demo-files.ts';

const { values } = parseArgs({ options: { folder: { type: 'string' }, files: { type: 'string', default: '200' } } });
const count = Number(values.files);
const scratch = await mkdtemp(join(tmpdir(), 'inspection-desk-demo-'));
const sandbox = await startSandbox({ consent: 'auto', stateDir: join(scratch, 'sandbox') });
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
const output = createOutput(false, process.stdout, process.stderr, await createHostSpeech('en'));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  if (!Number.isInteger(count) || count < 1)
    throw new DeskError('input/invalid', '--files takes a whole number above 0');
  const root = values.folder ?? join(scratch, 'folder');
  if (values.folder === undefined) {
    say(`Writing ${count} files …`);
    await writeDemoFiles(root, count);
  }
  const connection = { baseUrl: sandbox.baseUrl, authUrl: sandbox.authUrl, clientId: sandbox.clientId };
  const options = { ...connection, home: join(scratch, 'home'), tokenStore: 'memory', browser: false } as const;
  const desk = await createDesk({
    ...createCliHost({ options, cwd: process.cwd(), env: {}, output, parts: sourceParts, policy: {} }),
    // The sandbox consents automatically, so it is enough to follow the redirects without a browser.
    openExternal: async (url) => void (await fetch(url)),
  });
  try {
    process.exitCode = await upload(desk, root);
  } finally {
    await desk.close();
  }
} catch (error) {
  output.error(error);
  process.exitCode = exitCodeOf(toErrorData(error).code);
} finally {
  await sandbox.close();
  await rm(scratch, { recursive: true, force: true });
}

/**
 * Signs in, lists protocols, uploads `root` to the first assignment, and verifies the upload. Resolves to the exit
 * code.
 */
async function upload(desk: Desk, root: string): Promise<number> {
  const { session, reader, uploads } = desk.connected();
  await session.signIn(interrupt.signal);
  say('Signed in.');
  const { value: protocols } = await reader.protocols({});
  const [protocol] = protocols.Items;
  const { value: assignments } = await reader.assignments(protocol?.InspectionProtocolId ?? '');
  const [assignment] = assignments.Items;
  if (!protocol || !assignment) throw new Error('the sandbox has no assignment');
  const columns = (['Address', 'City', 'Points'] as const).map((name) => ({
    title: name,
    cell: (row: typeof protocol) => row[name],
  }));
  say(
    `${protocols.TotalCount} protocols, among them:\n${formatTable(protocols.Items.slice(0, 3), columns).join('\n')}`,
  );

  say(`Uploading ${root} to the assignment at ${assignment.Address} …`);
  const { batchId } = await uploads.start({ root, assignmentId: assignment.AssignmentId });
  await followBatch(desk, { output, signal: interrupt.signal, files: createFileLines(output) }, batchId);

  say('Reading every object back …');
  const { files, uploaded, failed } = await uploads.get(batchId);
  const verified = await verify(desk, batchId, root, createSandboxControl(sandbox));
  say(`uploaded ${uploaded} of ${files} files, ${failed} failed, ${verified} verified`);
  return uploaded === files && verified === files ? 0 : 1;
}

/** Counts the files of the batch that the storage holds exactly once, with the bytes that are on disk. */
async function verify(desk: Desk, batch: string, root: string, control: SandboxControl): Promise<number> {
  const stored = Map.groupBy(await control.objects(), ({ FileName }) => FileName);
  let verified = 0;
  const { files } = await desk.connected().uploads.files(batch, { offset: 0, limit: Number.MAX_SAFE_INTEGER });
  for (const { path, FileName } of files) {
    const [object, ...others] = stored.get(FileName) ?? [];
    const once = object !== undefined && others.length === 0;
    const onDisk = await hash(createReadStream(join(root, path)));
    if (once && (await hash(await control.objectBytes(object.Key))) === onDisk) verified += 1;
    else say(`not as it should be: ${path}`);
  }
  return verified;
}

async function hash(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const digest = createHash('sha256');
  for await (const part of bytes) digest.update(part);
  return digest.digest('hex');
}
