import { afterAll, describe, expect, test } from 'vitest';
import { createApiAgent } from '../net/connector.ts';
import { createGate } from '../net/gate.ts';
import { json, startTestServer, type TestServer, unusedAddress } from '../net/testing/server.ts';
import { createServiceClient, type ServiceClient } from './client.ts';

const api = createApiAgent();
afterAll(() => api.destroy());

const AssignmentId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const files = { AssignmentId, FacilityId: 'F1', Files: [] };

const clientOf = (baseUrl: string): ServiceClient =>
  createServiceClient({
    baseUrl,
    dispatcher: api,
    tokens: { accessToken: async () => 'the-token' },
    gate: createGate(),
    retry: { sleep: async () => {} },
  });

/**
 * Calls a service that responds with the statuses and bodies of `answers`, in order. Status 0: it resets the
 * connection.
 */
const calling = async <T>(
  answers: readonly (readonly [status: number, body: unknown])[],
  use: (client: ServiceClient, server: TestServer) => Promise<T>,
) => {
  await using server = await startTestServer((response, _, index) => {
    const [status, body] = answers[index] ?? [500, 'not expected'];
    if (status === 0) response.socket?.resetAndDestroy();
    else if (typeof body === 'string') response.writeHead(status).end(body);
    else json(response, body, status);
  });
  return await use(clientOf(`${server.url}/api/`), server);
};

describe('each operation sends the request of the interface', () => {
  const page = { Items: [], Count: 0, TotalCount: 0 };
  const signature = { AssignmentId, Key: 'K', Url: 'https://storage.example/K?sig=1' };
  const cases: readonly [string, string, unknown, unknown, (client: ServiceClient) => Promise<unknown>][] = [
    ['GET', '/compiled-inspection-protocols/contractor', '', { ...page, CurrentPage: 1 }, (c) => c.listProtocols()],
    [
      'GET',
      '/compiled-inspection-protocols/contractor?Page=0&Query=harbour+%26+co',
      '',
      { ...page, CurrentPage: 0 },
      (c) => c.listProtocols({ Page: 0, Query: 'harbour & co' }),
    ],
    ['GET', '/compiled-inspection-protocols/P%2F1%3F/assignments', '', page, (c) => c.listAssignments('P/1?')],
    ['GET', '/compiled-inspection-protocols/P1/inspection-points', '', [], (c) => c.listInspectionPoints('P1')],
    ['GET', '/assignments/projects', '', page, (c) => c.listProjectAssignments()],
    [
      'GET',
      '/assignments/projects?County=%C3%96rebro',
      '',
      page,
      (c) => c.listProjectAssignments({ County: 'Örebro' }),
    ],
    [
      'POST',
      `/assignments/${AssignmentId}/files/sign-upload`,
      { FileName: 'a.jpg' },
      signature,
      (c) => c.signUpload({ AssignmentId, FileName: 'a.jpg' }),
    ],
    [
      'DELETE',
      `/assignments/${AssignmentId}/files`,
      { Key: 'K' },
      files,
      (c) => c.removeFile({ AssignmentId, Key: 'K' }),
    ],
    [
      'PUT',
      `/assignments/${AssignmentId}/plan-after`,
      { PlanAfter: 17 },
      { AssignmentId, PlanAfter: 17 },
      (c) => c.updatePlanAfter({ AssignmentId, PlanAfter: 17 }),
    ],
    [
      'PUT',
      `/assignments/${AssignmentId}/plan-after`,
      {},
      { AssignmentId, PlanAfter: 0 },
      (c) => c.updatePlanAfter({ AssignmentId }),
    ],
    ['GET', '/orderable-events', '', [], (c) => c.listOrderableEvents()],
  ];

  test.each(cases)('%s %s %j', async (method, target, body, answer, call) => {
    await calling([[200, answer]], async (client, server) => {
      await call(client);
      expect(server.requests).toHaveLength(1);
      const [seen] = server.requests;
      expect(seen).toMatchObject({
        method,
        target: `/api/contractor${target}`,
        headers: { authorization: 'Bearer the-token', accept: 'application/json', 'user-agent': 'InspectionDesk' },
      });
      expect(seen?.headers['content-type']).toBe(body === '' ? undefined : 'application/json');
      expect(seen?.body === '' ? '' : JSON.parse(seen?.body ?? '')).toEqual(body);
    });
  });
});

test.each([
  [200, { AssignmentId, PlanAfter: null }],
  [200, { AssignmentId }],
  [204, ''],
])('a plan-after value is cleared by the response %d %j', async (status, body) => {
  await calling([[status, body]], async (client) => {
    expect(await client.updatePlanAfter({ AssignmentId })).toEqual({ AssignmentId, PlanAfter: 0 });
  });
});

test('reads responses that begin with a byte order mark', async () => {
  const marked = (body: unknown) => [200, `\uFEFF${JSON.stringify(body)}`] as const;
  const value = { AssignmentId, PlanAfter: 17 };
  const page = { Items: [], Count: 0, TotalCount: 0, CurrentPage: 1 };
  await calling([marked(value), marked(page), marked([])], async (client) => {
    expect(await client.updatePlanAfter(value)).toEqual(value);
    expect((await client.listProtocols()).value).toEqual(page);
    expect((await client.listOrderableEvents()).value).toEqual([]);
  });
});

describe('sends nothing', () => {
  const cases: readonly [string, (client: ServiceClient) => Promise<unknown>][] = [
    ['AssignmentId', (c) => c.signUpload({ AssignmentId: 'A1', FileName: 'a.jpg' })],
    ['AssignmentId', (c) => c.removeFile({ AssignmentId: '../projects', Key: 'K' })],
    ['AssignmentId', (c) => c.updatePlanAfter({ AssignmentId: '', PlanAfter: 1 })],
    ['FileName', (c) => c.signUpload({ AssignmentId, FileName: '' })],
    ['id', (c) => c.listAssignments('..')],
    ['id', (c) => c.listInspectionPoints('')],
  ];
  test.each(cases)('with a wrong %s', async (what, call) => {
    await calling([], async (client, server) => {
      await expect(call(client)).rejects.toMatchObject({
        code: 'input/invalid',
        message: expect.stringContaining(what),
      });
      expect(server.requests).toEqual([]);
    });
  });

  test('to a base address that is not secure', () => {
    expect(() => clientOf('http://inspection.example')).toThrow(
      expect.objectContaining({ code: 'connection/insecure' }),
    );
  });
});

describe('answers', () => {
  const event = { EventId: 'E1', EventName: 'Inspection' };

  test('the response to a plan-after update has the id of the request, in its case', async () => {
    const response = { AssignmentId: AssignmentId.toUpperCase(), PlanAfter: 5 };
    const value = await calling([[200, response]], (client) => client.updatePlanAfter({ AssignmentId, PlanAfter: 5 }));
    expect(value).toEqual({ AssignmentId, PlanAfter: 5 });
  });

  test('a malformed item does not discard its list, and unknown fields are dropped', async () => {
    const items = [{ ...event, Colour: 'red' }, { EventId: 7, EventName: 'No' }, null, { ...event, EventId: 'E2' }];
    const read = await calling([[200, items]], (client) => client.listOrderableEvents());
    expect(read).toEqual({ value: [event, { ...event, EventId: 'E2' }], unreadable: 2 });
  });

  test.each([null, undefined])('reads %s as empty in fields that are only shown', async (none) => {
    const lists = { Count: 1, TotalCount: 1 };
    const place = { Address: 'Mill Street 1', City: none, FacilityId: none };
    const protocol = { ...place, InspectionProtocolId: 'P1', ZipCode: none, InspectionDate: none, Points: none };
    const protocols = { ...lists, Items: [protocol], CurrentPage: 1 };
    const persons = { FirstName: none, LastName: none, Performer: none };
    const assignments = {
      ...lists,
      Items: [{ ...place, ...persons, AssignmentId, AssignmentStatus: none, StartTime: none }],
    };
    const point = {
      ProtocolInspectionPointId: 'I1',
      ...{ InspectionPointName: none, ProductType: none, Category: none, Answer: none, SpecificReference: none },
      ...{ Severity: none, Description: none, HasImage: none },
    };
    const left = { AssignmentId, FacilityId: none, Files: [{ Key: 'K1', FileName: 'a.pdf', UploadedBy: none }] };
    const answers = [protocols, assignments, [point], [{ EventId: 'E1', EventName: none }], left];
    await calling(
      answers.map((answer) => [200, answer] as const),
      async (client) => {
        const empty = { City: '', FacilityId: '' };
        expect(await client.listProtocols()).toMatchObject({
          value: { Items: [{ ...empty, InspectionProtocolId: 'P1', ZipCode: '', InspectionDate: 0, Points: 0 }] },
          unreadable: 0,
        });
        expect(await client.listAssignments('P1')).toMatchObject({
          value: { Items: [{ ...empty, FirstName: '', Performer: '', AssignmentStatus: '', StartTime: 0 }] },
          unreadable: 0,
        });
        expect(await client.listInspectionPoints('P1')).toMatchObject({
          value: [{ Severity: '', Description: '', HasImage: false }],
          unreadable: 0,
        });
        expect(await client.listOrderableEvents()).toMatchObject({ value: [{ EventName: '' }], unreadable: 0 });
        expect(await client.removeFile({ AssignmentId, Key: 'K2' })).toMatchObject({
          Files: [{ Key: 'K1', UploadedBy: '' }],
        });
      },
    );
  });

  test('reads null in place of a list as an empty list', async () => {
    const lists = { Items: null, Count: 0, TotalCount: 0 };
    const empty = { value: { ...lists, Items: [] }, unreadable: 0 };
    await calling(
      [
        [200, { ...lists, CurrentPage: 1 }],
        [200, lists],
        [200, null],
      ],
      async (client) => {
        expect(await client.listProtocols()).toMatchObject(empty);
        expect(await client.listAssignments('P1')).toEqual(empty);
        expect(await client.listInspectionPoints('P1')).toEqual({ value: [], unreadable: 0 });
      },
    );
  });

  test.each([{ ...files, Files: null }, { AssignmentId }])(
    'a removal whose response %j lists no files is done, and tells nothing about the files that remain',
    async (response) => {
      const remaining = await calling([[200, response]], (client) => client.removeFile({ AssignmentId, Key: 'K' }));
      expect(remaining).toBeUndefined();
    },
  );

  test('a malformed item does not discard its page', async () => {
    const page = { Items: [{}], Count: 1, TotalCount: 1, CurrentPage: 3, More: true };
    const read = await calling([[200, page]], (client) => client.listProtocols());
    expect(read).toEqual({ value: { Items: [], Count: 1, TotalCount: 1, CurrentPage: 3 }, unreadable: 1 });
  });

  test.each([
    ['', ''],
    ['{"Items":[', ''],
    ['<html>', ''],
    [{ Items: [], TotalCount: 0, CurrentPage: 0 }, 'Count'],
    [{ Items: {}, Count: 0, TotalCount: 0, CurrentPage: 0 }, ''],
    [[], ''],
    [null, ''],
  ])('retries the malformed answer %j', async (body, where) => {
    const answers = [1, 2, 3, 4].map(() => [200, body] as const);
    await calling(answers, async (client, server) => {
      await expect(client.listProtocols()).rejects.toMatchObject({
        code: 'service/malformed',
        details: where === '' ? {} : { where },
      });
      expect(server.requests).toHaveLength(4);
    });
  });

  test('accepts any 2xx as success', async () => {
    const read = await calling([[206, [event]]], (client) => client.listOrderableEvents());
    expect(read.value).toEqual([event]);
  });
});

describe('retries', () => {
  test.each([[[0, '']], [[500, '']], [[504, '']], [[429, '']], [[503, '']], [[200, '[']]] as const)(
    'a read after %j',
    async (first) => {
      const read = await calling([first, [200, []]], (client) => client.listOrderableEvents());
      expect(read).toEqual({ value: [], unreadable: 0 });
    },
  );

  test.each([400, 403, 404, 409, 302])('not after %d', async (status) => {
    await calling([[status, {}]], async (client, server) => {
      await expect(client.listOrderableEvents()).rejects.toMatchObject({ retry: 'never', details: { status } });
      expect(server.requests).toHaveLength(1);
    });
  });

  const sign = (client: ServiceClient) => client.signUpload({ AssignmentId, FileName: 'a.jpg' });
  const signed = { AssignmentId, Key: 'K', Url: 'https://storage.example/K' };

  test.each([429, 503])('a signature after %d, as it was not processed', async (status) => {
    expect(
      await calling(
        [
          [status, ''],
          [200, signed],
        ],
        sign,
      ),
    ).toEqual(signed);
  });

  test.each([[[0, '']], [[500, '']], [[200, '{']], [[200, { ...signed, Url: 'nowhere' }]]] as const)(
    'no signature after %j',
    async (first) => {
      await calling([first], async (client, server) => {
        await expect(sign(client)).rejects.toMatchObject({ code: expect.stringMatching(/^service/) });
        expect(server.requests).toHaveLength(1);
      });
    },
  );

  test('an unreachable service is tried four times, for a signature too', async () => {
    const waits: number[] = [];
    const client = createServiceClient({
      baseUrl: unusedAddress(),
      dispatcher: api,
      tokens: { accessToken: async () => 'the-token' },
      gate: createGate(),
      retry: { sleep: async (ms) => void waits.push(ms) },
    });
    await expect(sign(client)).rejects.toMatchObject({ code: 'service/unreachable' });
    expect(waits).toHaveLength(3);
  });
});

describe('a removal', () => {
  const remove = (client: ServiceClient) => client.removeFile({ AssignmentId, Key: 'K' });
  const left = { ...files, Files: [{ Key: 'L', FileName: 'l.jpg', UploadedBy: 'CUSTOMER' }] };

  test('answers the remaining files', async () => {
    expect(await calling([[200, left]], remove)).toEqual(left);
  });

  test('succeeds without a body', async () => {
    expect(await calling([[204, '']], remove)).toBeUndefined();
  });

  test('of a missing file is refused', async () => {
    await expect(calling([[404, {}]], remove)).rejects.toMatchObject({ code: 'service/not-found' });
  });

  test.each([[[0, '']], [[500, '']], [[200, '{']]] as const)(
    'succeeds if the answer after %j is 404',
    async (first) => {
      expect(await calling([first, [404, {}]], remove)).toBeUndefined();
    },
  );

  test('is refused if the answer after a refusal is 404', async () => {
    await expect(
      calling(
        [
          [429, ''],
          [404, {}],
        ],
        remove,
      ),
    ).rejects.toMatchObject({ code: 'service/not-found' });
  });
});

describe('bounds', () => {
  const event = { EventId: 'E1', EventName: 'Inspection' };
  const events = (client: ServiceClient) => client.listOrderableEvents();
  const tooLarge = { code: 'service/too-large', retry: 'never' };

  test.each([
    ['small items', `[${'{},'.repeat(50_000)}{}]`, { maxItems: 50_000 }],
    ['an item without an end', `[{"EventId":"${'x'.repeat(1_000_000)}`, { maxPartBytes: 524_288 }],
    ['an item of a great depth', `[${'['.repeat(1_000_000)}`, { maxPartBytes: 524_288 }],
    ['nothing but space', `[${' '.repeat(1_000_000)}`, { maxPartBytes: 524_288 }],
  ])('A10: refuses a list of %s without a retry', async (_, body, details) => {
    await calling([[200, body]], async (client, server) => {
      await expect(events(client)).rejects.toMatchObject({ ...tooLarge, details });
      expect(server.requests).toHaveLength(1);
    });
  });

  test('A10: reads a list of fifty thousand', async () => {
    const items = Array.from({ length: 50_000 }, (_, n) => ({ ...event, EventId: `E${n}` }));
    const { value } = await calling([[200, items]], events);
    expect(value).toHaveLength(50_000);
  });

  test('A10: reads thirty thousand inspection points of 800 characters', async () => {
    const point = {
      ProtocolInspectionPointId: 'P1',
      InspectionPointName: 'Roof',
      ProductType: 'Roof',
      Category: 'Exterior',
      Answer: 'Damaged',
      SpecificReference: '',
      Severity: 'High',
      Description: 'x'.repeat(601),
      HasImage: true,
    };
    expect(JSON.stringify(point)).toHaveLength(800);
    const points = Array.from({ length: 30_000 }, () => point);
    const { value } = await calling([[200, points]], (client) => client.listInspectionPoints('P1'));
    expect(value).toHaveLength(30_000);
  });

  test('A10: counts an item with deep nesting as unreadable', async () => {
    const depth = 100_000;
    const read = await calling([[200, `[${'['.repeat(depth)}${']'.repeat(depth)},${JSON.stringify(event)}]`]], events);
    expect(read).toEqual({ value: [event], unreadable: 1 });
  });

  test('A10: reports a refusal correctly, however long its text is', async () => {
    await calling([[404, 'x'.repeat(10_000_000)]], async (client) => {
      await expect(events(client)).rejects.toMatchObject({ code: 'service/not-found' });
    });
  });

  test.each(['', '.', '..', 'a\ud800', 'x'.repeat(257)])('A15: a protocol with the id %j is left out', async (id) => {
    const item = { Address: '', City: '', ZipCode: '', FacilityId: '', InspectionDate: 1, Points: 0 };
    const Items = [
      { ...item, InspectionProtocolId: id },
      { ...item, InspectionProtocolId: 'P1' },
    ];
    const page = { Items, Count: 2, TotalCount: 2, CurrentPage: 1 };
    const { value, unreadable } = await calling([[200, page]], (client) => client.listProtocols());
    expect(value.Items).toHaveLength(1);
    expect(unreadable).toBe(1);
  });

  test.each(['', '.', '..', 'a\ud800', 'x'.repeat(257)])('A15: nothing is asked about the id %j', async (id) => {
    await calling([], async (client, server) => {
      await expect(client.listAssignments(id)).rejects.toMatchObject({ code: 'input/invalid' });
      await expect(client.listInspectionPoints(id)).rejects.toMatchObject({ code: 'input/invalid' });
      expect(server.requests).toEqual([]);
    });
  });

  const sign = (client: ServiceClient) => client.signUpload({ AssignmentId, FileName: 'a.jpg' });
  const signed = { AssignmentId, Key: 'K', Url: 'https://storage.example/K' };
  const huge = 'x'.repeat(5_000_000);

  test.each([
    ['Url', { ...signed, Url: `${signed.Url}?sig=${huge}` }, { code: 'service/too-large' }],
    ['Key', { ...signed, Key: huge }, { code: 'service/too-large' }],
    ['Url', { ...signed, Url: `${signed.Url}?sig=${'x'.repeat(20_000)}` }, { code: 'service/malformed' }],
    ['Key', { ...signed, Key: 'x'.repeat(3_000) }, { code: 'service/malformed', details: { where: 'Key' } }],
  ])('A16: refuses a signature with an oversized %s', async (_, body, error) => {
    await expect(calling([[200, body]], sign)).rejects.toMatchObject(error);
  });
});

describe('reads every page, from whatever numbers', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const pageOf = (at: number, CurrentPage: number) => {
    const item = { Address: '', City: '', ZipCode: '', FacilityId: '', InspectionDate: 1, Points: 0 };
    const Items = ids.slice(at, at + 1).map((InspectionProtocolId) => ({ ...item, InspectionProtocolId }));
    return { Items, Count: Items.length, TotalCount: ids.length, CurrentPage };
  };
  const readAll = async (answer: (page: number | undefined) => ReturnType<typeof pageOf> | undefined) => {
    await using server = await startTestServer((response, { target }) => {
      const page = new URL(target, 'http://localhost').searchParams.get('Page');
      const body = answer(page === null ? undefined : Number(page));
      json(response, body ?? {}, body ? 200 : 404);
    });
    const client = clientOf(server.url);
    const found: (string | undefined)[] = [];
    let { value } = await client.listProtocols();
    for (const _ of ids) {
      found.push(value.Items[0]?.InspectionProtocolId);
      ({ value } = await client.listProtocols({ Page: value.CurrentPage + 1 }));
    }
    return { found, last: value, requests: server.requests.length };
  };

  test.each([
    [1, 1, 6],
    [0, 0, 6],
    [1, 0, 7],
    [0, 1, 7],
  ])('Page from %d, CurrentPage from %d', async (pageFrom, currentFrom, requests) => {
    const of = (page = pageFrom) => pageOf(page - pageFrom, page - pageFrom + currentFrom);
    expect(await readAll(of)).toEqual({ found: ids, last: of(pageFrom + ids.length), requests });
  });

  test.each([
    ['and returns its last page for every higher number', (page: number) => pageOf(4, Math.min(page, 5))],
    ['and refuses a number beyond the next page', (page: number) => (page > 6 ? undefined : pageOf(4, 5))],
  ])('from 1, %s', async (_, beyond) => {
    const { found, last } = await readAll((page = 1) => (page > 5 ? beyond(page) : pageOf(page - 1, page)));
    expect(found).toEqual(ids);
    expect(last).toEqual(pageOf(4, 5));
  });
});
