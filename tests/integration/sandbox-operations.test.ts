import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  AssignmentFiles,
  AssignmentList,
  InspectionPoint,
  OrderableEvent,
  ProtocolPage,
  UploadSignature,
} from '../../src/contract/resources.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import {
  anyAssignmentId,
  type Call,
  callWith,
  protocolPage,
  put,
  sign,
  signIn,
} from '../../src/sandbox/testing/client.ts';
import { createSandboxControl, type SandboxControl } from '../../src/sandbox/testing/control-client.ts';

const protocols = '/contractor/compiled-inspection-protocols';
const unknownId = '00000000-0000-4000-8000-000000000000';

let sandbox: Sandbox;
let control: SandboxControl;
let call: Call;
let assignmentId: string;
beforeAll(async () => {
  sandbox = await startSandbox({ consent: 'auto', pageSize: 100 });
  control = createSandboxControl(sandbox);
  call = callWith(sandbox, (await signIn(sandbox)).access_token);
  assignmentId = await anyAssignmentId(call);
});
afterAll(() => sandbox.close());

const json = async (method: string, path: string, body?: unknown): Promise<unknown> =>
  (await call(method, path, body)).json();

const statusAndCode = async (response: Response): Promise<unknown> => {
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return [response.status, error.code];
};

describe('reading', () => {
  test('protocols come in pages, starting at 1', async () => {
    const first = ProtocolPage.parse(await protocolPage(call));
    expect([first.Count, first.TotalCount, first.CurrentPage]).toEqual([100, 240, 1]);
    expect(await protocolPage(call, '?Page=1')).toEqual(first);
    expect(await protocolPage(call, '?cursor=2')).toEqual(await protocolPage(call, '?Page=3'));
    expect(await protocolPage(call, '?Page=3&cursor=x')).toEqual(await protocolPage(call, '?Page=3'));
    expect((await protocolPage(call, '?Page=3')).Count).toBe(40);
    expect((await protocolPage(call, '?Page=4')).Items).toEqual([]);
  });

  test('protocols can be searched', async () => {
    const facility = (await protocolPage(call)).Items[5]?.FacilityId ?? '';
    expect((await protocolPage(call, `?Query=${facility.toLowerCase()}`)).TotalCount).toBe(1);
    expect((await protocolPage(call, '?Query=no+such+place')).TotalCount).toBe(0);
  });

  test.each(['abc', '0', '-1', '1.5'])('Page=%s is refused', async (page) => {
    expect(await statusAndCode(await call('GET', `${protocols}/contractor?Page=${page}`))).toEqual([
      400,
      'InvalidPage',
    ]);
  });

  test('assignments and inspection points belong to a protocol', async () => {
    const protocol = (await protocolPage(call)).Items[0];
    const path = `${protocols}/${protocol?.InspectionProtocolId}`;
    const assignments = AssignmentList.parse(await json('GET', `${path}/assignments`));
    expect(assignments.Items.every(({ FacilityId }) => FacilityId === protocol?.FacilityId)).toBe(true);
    const points = z.array(InspectionPoint).parse(await json('GET', `${path}/inspection-points`));
    expect(points).toHaveLength(protocol?.Points ?? 0);
  });

  test.each(['assignments', 'inspection-points'])('%s of an unknown protocol are not found', async (what) => {
    expect(await statusAndCode(await call('GET', `${protocols}/${unknownId}/${what}`))).toEqual([404, 'NotFound']);
    expect((await call('GET', `${protocols}/anything/${what}`)).status).toBe(404);
  });

  test('project assignments can be listed, all or by county', async () => {
    const all = AssignmentList.parse(await json('GET', '/contractor/assignments/projects'));
    const some = AssignmentList.parse(await json('GET', '/contractor/assignments/projects?County=Sk%C3%A5ne'));
    expect(some.Count).toBeGreaterThan(0);
    expect(some.Count).toBeLessThan(all.Count);
    expect(some.Items.every(({ City }) => City === 'Malmö')).toBe(true);
  });

  test('orderable events are a bare array', async () => {
    expect(z.array(OrderableEvent).parse(await json('GET', '/contractor/orderable-events'))).toHaveLength(12);
  });
});

describe('plan after', () => {
  test('is set, replaced and cleared', async () => {
    const path = `/contractor/assignments/${assignmentId}/plan-after`;
    expect(await json('PUT', path, { PlanAfter: 1_800_000_000 })).toEqual({
      AssignmentId: assignmentId,
      PlanAfter: 1_800_000_000,
    });
    expect(await json('PUT', path, { PlanAfter: 5.5 })).toEqual({ AssignmentId: assignmentId, PlanAfter: 5.5 });
    expect(await control.planAfterValues()).toEqual([{ AssignmentId: assignmentId, PlanAfter: 5.5 }]);
    expect(await json('PUT', path, {})).toEqual({ AssignmentId: assignmentId, PlanAfter: 0 });
    expect(await control.planAfterValues()).toEqual([]);
  });

  test.each(['7', null, true, {}, [1]])('PlanAfter %j is refused', async (PlanAfter) => {
    const response = await call('PUT', `/contractor/assignments/${assignmentId}/plan-after`, { PlanAfter });
    expect(await statusAndCode(response)).toEqual([400, 'InvalidBody']);
  });
});

describe('files', () => {
  const files = (): string => `/contractor/assignments/${assignmentId}/files`;

  test('every signature has its own Key', async () => {
    const first = UploadSignature.parse(await sign(call, assignmentId, 'a.pdf'));
    const second = UploadSignature.parse(await sign(call, assignmentId, 'a.pdf'));
    expect(first.Key).not.toBe(second.Key);
    expect(first.AssignmentId).toBe(assignmentId);
  });

  test('a removal returns the remaining stored files', async () => {
    const kept = await sign(call, assignmentId, 'kept å.pdf');
    const removed = await sign(call, assignmentId, 'removed.pdf');
    const neverSent = await sign(call, assignmentId, 'never sent.pdf');
    await put(kept.Url, 'kept');
    await put(removed.Url, 'removed');
    const answer = AssignmentFiles.parse(await json('DELETE', files(), { Key: removed.Key }));
    expect(answer.AssignmentId).toBe(assignmentId);
    expect(answer.Files).toContainEqual({ Key: kept.Key, FileName: 'kept å.pdf', UploadedBy: 'CONTRACTOR' });
    expect(answer.Files.map(({ Key }) => Key)).not.toContain(removed.Key);
    expect(answer.Files.map(({ Key }) => Key)).not.toContain(neverSent.Key);
    for (const { Key } of [removed, neverSent]) expect((await call('DELETE', files(), { Key })).status).toBe(404);
    expect((await control.objects()).map(({ Key }) => Key)).toEqual([kept.Key]);
    // All listed files can be removed once, even those that the client did not upload.
    for (const { Key } of answer.Files) expect((await call('DELETE', files(), { Key })).status).toBe(200);
    for (const { Key } of answer.Files) expect((await call('DELETE', files(), { Key })).status).toBe(404);
  });

  test("another assignment's Key is not found", async () => {
    const { Key, Url } = await sign(call, assignmentId, 'mine.pdf');
    await put(Url, 'mine');
    const protocol = (await protocolPage(call)).Items[0]?.InspectionProtocolId;
    const other = AssignmentList.parse(await json('GET', `${protocols}/${protocol}/assignments`)).Items[0];
    expect((await call('DELETE', `/contractor/assignments/${other?.AssignmentId}/files`, { Key })).status).toBe(404);
  });

  test.each([{}, { FileName: '' }, { FileName: 7 }, [], 'a'])('sign-upload refuses %j', async (body) => {
    expect(await statusAndCode(await call('POST', `${files()}/sign-upload`, body))).toEqual([400, 'InvalidBody']);
  });

  test.each([{}, { Key: 7 }])('removal refuses %j', async (body) => {
    expect(await statusAndCode(await call('DELETE', files(), body))).toEqual([400, 'InvalidBody']);
  });
});

describe('strictness', () => {
  const changes = [
    ['POST', 'files/sign-upload', { FileName: 'a' }],
    ['DELETE', 'files', { Key: 'a' }],
    ['PUT', 'plan-after', {}],
  ] as const;

  test.each(changes)('%s %s requires a uuid, then an existing one', async (method, path, body) => {
    const at = (id: string): Promise<Response> => call(method, `/contractor/assignments/${id}/${path}`, body);
    expect(await statusAndCode(await at('17'))).toEqual([400, 'InvalidAssignmentId']);
    expect(await statusAndCode(await at(unknownId))).toEqual([404, 'NotFound']);
  });

  test.each(changes)('%s %s requires JSON', async (method, path) => {
    const send = (contentType: string, body: string): Promise<Response> =>
      fetch(`${sandbox.baseUrl}/contractor/assignments/${assignmentId}/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
        body,
      });
    const token = (await signIn(sandbox)).access_token;
    expect(await statusAndCode(await send('text/plain', '{}'))).toEqual([415, 'UnsupportedMediaType']);
    expect(await statusAndCode(await send('application/json; charset=utf-8', '{'))).toEqual([400, 'InvalidBody']);
  });

  test.each([`${protocols}/contractor`, '/contractor/assignments/projects', '/contractor/no-such-thing'])(
    '%s wants a token',
    async (path) => {
      const missing = await fetch(`${sandbox.baseUrl}${path}`);
      expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect((await callWith(sandbox, 'invented')('GET', path)).status).toBe(401);
    },
  );

  test('unknown addresses and wrong methods have different errors', async () => {
    expect((await call('GET', '/contractor/no-such-thing')).status).toBe(404);
    expect((await fetch(`${sandbox.baseUrl}/`)).status).toBe(404);
    const wrong = await call('POST', '/contractor/orderable-events', {});
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await call('GET', `/contractor/assignments/${assignmentId}/plan-after`)).status).toBe(405);
  });
});
