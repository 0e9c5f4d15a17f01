import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import {
  anyAssignmentId,
  callWith,
  postToken,
  protocolPage,
  put,
  sign,
  signIn,
} from '../../src/sandbox/testing/client.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';

let stateDir: string;
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'sandbox-state-'));
});
afterEach(() => rm(stateDir, { recursive: true }));

const events = '/contractor/orderable-events';

test('a restart keeps tokens, signatures, objects, plan-after values and removals', async () => {
  const first = await startSandbox({ stateDir, consent: 'auto', seed: 5, protocols: 30 });
  const { access_token, refresh_token } = await signIn(first);
  const before = callWith(first, access_token);
  const assignmentId = await anyAssignmentId(before);
  const files = `/contractor/assignments/${assignmentId}/files`;
  const kept = await sign(before, assignmentId, 'kept.txt');
  const removed = await sign(before, assignmentId, 'removed.txt');
  const open = await sign(before, assignmentId, 'open.txt');
  await put(kept.Url, 'kept');
  await put(removed.Url, 'removed');
  const remaining = await (await before('DELETE', files, { Key: removed.Key })).json();
  await before('PUT', `/contractor/assignments/${assignmentId}/plan-after`, { PlanAfter: 42 });
  const page = await protocolPage(before);
  await first.close();

  const second = await startSandbox({ stateDir, port: first.port, consent: 'auto' });
  try {
    expect(second.baseUrl).toBe(first.baseUrl);
    // The client may first have to notice that its open connections lead to the earlier sandbox.
    await expect.poll(() => fetch(second.baseUrl).then(({ status }) => status)).toBe(404);
    const after = callWith(second, access_token);
    const control = createSandboxControl(second);
    expect(await protocolPage(after)).toEqual(page);
    expect(await control.planAfterValues()).toEqual([{ AssignmentId: assignmentId, PlanAfter: 42 }]);
    expect((await control.objects()).map(({ Key, puts }) => [Key, puts])).toEqual([[kept.Key, 1]]);
    expect(await new Response(await control.objectBytes(kept.Key)).text()).toBe('kept');
    expect((await put(open.Url, 'open')).status).toBe(200);
    expect(await (await after('DELETE', files, { Key: open.Key })).json()).toEqual(remaining);
    expect((await postToken(second, { grant_type: 'refresh_token', refresh_token })).status).toBe(200);
    expect((await postToken(second, { grant_type: 'refresh_token', refresh_token })).status).toBe(400);
    expect((await after('GET', events)).status).toBe(401);
  } finally {
    await second.close();
  }
});

test('a folder cannot be opened with different sample data', async () => {
  await (await startSandbox({ stateDir, seed: 5 })).close();
  await expect(startSandbox({ stateDir, seed: 6 })).rejects.toThrow('made with seed 5, not 6');
  await expect(startSandbox({ stateDir, protocols: 9 })).rejects.toThrow('made with protocols 240, not 9');
});

test('removes partial files of an earlier run', async () => {
  await (await startSandbox({ stateDir })).close();
  await writeFile(join(stateDir, 'objects', 'left-over.partial'), 'half');
  await (await startSandbox({ stateDir })).close();
  expect(await readdir(join(stateDir, 'objects'))).toEqual([]);
});

test('200,000 protocols cost nothing until they are requested', async () => {
  const sandbox = await startSandbox({ consent: 'auto', protocols: 200_000 });
  try {
    const call = callWith(sandbox, (await signIn(sandbox)).access_token);
    expect(await protocolPage(call, '?Page=4000')).toMatchObject({ Count: 50, TotalCount: 200_000, CurrentPage: 4000 });
  } finally {
    await sandbox.close();
  }
});
