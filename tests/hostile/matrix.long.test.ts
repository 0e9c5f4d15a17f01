/**
 * Every operation of the API, the token endpoint and the storage, with every kind of wrong response. Each call ends
 * with an error of a known code that is not a bug, and the next honest response is accepted.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DeskError, toErrorData } from '../../src/contract/errors.ts';
import { portOf } from '../../src/main/net/urls.ts';
import type { RouteName } from '../../src/sandbox/http/http.ts';
import { openSignedIn, type TestDesk, withoutBackoff } from '../integration/support/desks.ts';
import { makeFolder } from '../integration/support/folders.ts';
import * as attacks from './support/attacks.ts';
import { useHostileService } from './support/hostile-service.ts';
import type { Attack } from './support/start-hostile-service.ts';

const service = useHostileService();
/** The authorization headers of the requests to the server that redirects lead to. No request may arrive there. */
const came: (string | undefined)[] = [];
const elsewhere = createServer(({ headers }, response) => {
  came.push(headers.authorization);
  response.end('[]');
});
let elsewhereUrl = '';
beforeAll(async () => {
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  elsewhereUrl = `http://127.0.0.1:${portOf(elsewhere)}`;
});
afterAll(() => void elsewhere.close());

/** Limits that an honest response meets even on a busy machine. */
const deadlines = { service: { exchangeMs: 5_000, callMs: 8_000 }, tokenMs: 5_000 };
const open = (): Promise<TestDesk> => {
  withoutBackoff();
  return openSignedIn({
    sandbox: service.address,
    deadlines,
    timeouts: { idleMs: 2_000, responseMs: 2_000, graceMs: 500 },
  });
};

const { answers, endlessly, followed, speaks, streams } = attacks;
const late = /^service\/timeout$/;
const lost = /^service\/unreachable$/;
const malformed = /^service\/malformed$/;
const large = /^service\/(too-large|malformed)$/;
const refused = /^service\/(refused|failed|busy|not-found|forbidden)$/;
const notHttp = /^service\/(unreachable|malformed)$/;

/** The responses, each with the codes that may report it. */
const matrix: readonly (readonly [name: string, attack: Attack, codes: RegExp])[] = [
  ['silence', attacks.staysSilent, late],
  ['a body that drips', attacks.drips, /^service\/(timeout|malformed)$/],
  ['headers that drip', attacks.dripsHeaders, late],
  ['a body without an end', streams(() => endlessly('[{},'.repeat(10_000))), large],
  ['space without an end', streams(() => endlessly(' '.repeat(50_000))), large],
  ['small items without an end', streams(() => followed('[{}', endlessly(',{}'.repeat(10_000)))), large],
  ['a page without an end', streams(() => followed('{"Items":[{}', endlessly(',{}'.repeat(10_000)))), large],
  ['an item without an end', streams(() => followed('[{"EventId":"', endlessly('x'.repeat(50_000)))), large],
  ['nesting without an end', streams(() => endlessly('['.repeat(50_000))), large],
  ['a refusal without an end', streams(() => endlessly('x'.repeat(50_000)), 500), refused],
  ['a gzip bomb', attacks.gzipBomb(), large],
  ['a redirect', attacks.redirects(302, () => elsewhereUrl), refused],
  ['a redirect that keeps the method', attacks.redirects(307, () => elsewhereUrl), refused],
  ['a permanent redirect', attacks.redirects(308, () => elsewhereUrl), refused],
  ['304', attacks.refusesWith(304), refused],
  ['407', attacks.refusesWith(407), refused],
  ['418', attacks.refusesWith(418), refused],
  ['511', attacks.refusesWith(511), refused],
  ['a status beyond all', speaks('HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'), /^service\//],
  ['103 and no more', speaks('HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'), lost],
  ['101', speaks('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), notHttp],
  ['headers without an end', speaks(`HTTP/1.1 200 OK\r\n${'X-Much: '.padEnd(2_000_000, 'x')}`), notHttp],
  ['many headers', speaks(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(50_000)}\r\n`), notHttp],
  ['no HTTP', speaks('SSH-2.0-OpenSSH_9.6\r\n'), notHttp],
  ['two lengths', speaks('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]'), notHttp],
  ['a negative length', speaks('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n[]'), notHttp],
  ['a broken chunk', speaks('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n[]'), notHttp],
  ['a length that is too great', attacks.lengthOff(10), lost],
  ['a reset', attacks.resets, lost],
  ['HTML', answers('<html>Sign in to the hotel</html>'), malformed],
  ['half an answer', answers('{"Items":['), malformed],
  ['null', answers('null'), malformed],
  ['a number', answers('1e999'), malformed],
  ['a list of the wrong kind for an object, and the other way round', answers('{"Items":{"length":1}}'), malformed],
  ['a prototype', answers('{"__proto__":{"Items":[]},"constructor":1}'), malformed],
  ['half a surrogate pair', answers('"\\ud800"'), malformed],
];

const AssignmentId = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** Returns a function for each operation, which calls it in the way of the window or of the upload engine. */
const calls = ({ handlers, connected }: TestDesk): Readonly<Partial<Record<RouteName, () => Promise<unknown>>>> => {
  const ofProtocol = { InspectionProtocolId: 'P-1' };
  const client = connected().service;
  return {
    'list-protocols': async () => handlers.protocols.list({}),
    'list-assignments': async () => handlers.protocols.assignments(ofProtocol),
    'list-inspection-points': async () => handlers.protocols.inspectionPoints(ofProtocol),
    'list-project-assignments': async () => handlers.assignments.projects({}),
    'sign-upload': () => client.signUpload({ AssignmentId, FileName: 'a.txt' }),
    'remove-file': () => client.removeFile({ AssignmentId, Key: 'K' }),
    'update-plan-after': () => client.updatePlanAfter({ AssignmentId, PlanAfter: 1 }),
    'list-orderable-events': async () => handlers.orderableEvents.list({}),
  };
};

const codeOf = (work: () => Promise<unknown>): Promise<string> =>
  work().then(
    () => 'responded',
    (error: unknown) => (error instanceof DeskError ? toErrorData(error).code : String(error)),
  );

/** Calls the eight operations. Resolves to the name of each, with the code with which its call ended. */
const callAll = async (desk: TestDesk): Promise<readonly (readonly [string, string])[]> =>
  Promise.all(Object.entries(calls(desk)).map(async ([route, call]) => [route, await codeOf(call)] as const));

/**
 * The codes that an honest sandbox's responses lead to: it has neither the protocol nor the assignment of the calls.
 */
const honest = /^(responded|service\/not-found|service\/refused)$/;

describe('the eight operations', () => {
  test.each(matrix)('A6, A10, A16: %s has a name, and the next honest answer is taken', async (_, attack, codes) => {
    const desk = await open();
    came.length = 0;
    const routes = Object.keys(calls(desk)) as RouteName[];
    const stops = routes.map((route) => service.attack(route, attack));
    for (const [route, code] of await callAll(desk)) expect(code, route).toMatch(codes);
    expect(came).toEqual([]);
    for (const stop of stops) stop();
    for (const [route, code] of await callAll(desk)) expect(code, route).toMatch(honest);
    expect(await codeOf(async () => desk.handlers.orderableEvents.list({}))).toBe('responded');
  });
});

test('discards an answer that belongs to no request', async () => {
  const desk = await open();
  const events = async () => (await desk.handlers.orderableEvents.list({})).value.map(({ EventName }) => EventName);
  const known = await events();
  const stop = service.attack('list-orderable-events', attacks.poisons('[{"EventId":"x","EventName":"Poison"}]'));
  expect(await events()).toEqual(known);
  stop();
  for (let round = 0; round < 5; round += 1) expect(await events()).toEqual(known);
});

test('reads an answer only up to its stated length, or not at all', async () => {
  const desk = await open();
  const stop = service.attack('list-orderable-events', attacks.lengthOff(-10));
  expect(await codeOf(async () => desk.handlers.orderableEvents.list({}))).toMatch(notHttp);
  stop();
  expect(await codeOf(async () => desk.handlers.orderableEvents.list({}))).toBe('responded');
});

describe('the token endpoint', () => {
  const tooLarge = /^service\/(too-large|malformed|timeout)$/;
  // Leaves out the honest response with too great a length, because it uses up the old refresh token, but does not
  // bring the new one to the app.
  const ungranted = matrix.filter(([name]) => name !== 'a length that is too great');
  test.each(ungranted)('A6, A10: a refresh that meets %s leaves the session as it is', async (_, attack, codes) => {
    const desk = await open();
    came.length = 0;
    const stops = [service.attack('list-orderable-events', attacks.refusesWith(401)), service.attack('token', attack)];
    const code = await codeOf(async () => desk.handlers.orderableEvents.list({}));
    expect(
      [codes, tooLarge].some((expected) => expected.test(code)),
      code,
    ).toBe(true);
    expect(came).toEqual([]);
    for (const stop of stops) stop();
    expect(desk.connected().session.status()).toMatchObject({ state: 'signed-in' });
    expect(await codeOf(async () => desk.handlers.orderableEvents.list({}))).toBe('responded');
  });
});

describe('the storage', () => {
  test.each(matrix)('A6, A10: an upload that meets %s has an end, and is never a bug', async (_name, attack) => {
    const desk = await open();
    const [assignment] = (await desk.handlers.assignments.projects({})).value.Items;
    came.length = 0;
    const stop = service.attack('storage-put', (met) => {
      met.request.resume();
      return attack(met);
    });
    const { batchId } = await desk.upload(makeFolder({ 'a.txt': 'a file' }), assignment?.AssignmentId ?? '');
    const file = (await desk.filesOf(batchId))['a.txt'];
    expect(file?.error?.code ?? '').not.toMatch(/^app\//);
    expect(came).toEqual([]);
    stop();
    if (file?.state === 'done') return;
    await desk.uploads.retryFailed(batchId);
    await desk.uploads.resume(batchId).catch(() => {});
    expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 1, failed: 0 });
  });
});
