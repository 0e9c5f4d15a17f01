/**
 * A service that misbehaves on demand. It stands in front of an honest sandbox and passes everything on, the signed
 * URLs included, until a test replaces the answers of a route with its own.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { portOf } from '../../../src/main/net/urls.ts';
import type { RouteName } from '../../../src/sandbox/http/http.ts';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { createSandboxControl, type SandboxControl } from '../../../src/sandbox/testing/control-client.ts';

/** An honest answer of the sandbox, read to its end; addresses in it lead to the hostile service. */
type HonestAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** What one request meets. */
type Met = {
  readonly request: IncomingMessage;
  /** The attack's to answer, delay, cut short or leave open. */
  readonly response: ServerResponse;
  /** Forwards this request to the sandbox once and returns its answer. */
  readonly honest: () => Promise<HonestAnswer>;
};

/** Answers a request instead of the sandbox. */
export type Attack = (met: Met) => void | Promise<void>;

export type HostileService = {
  /** Where the app connects to. */
  readonly address: Pick<Sandbox, 'baseUrl' | 'authUrl' | 'clientId'>;
  /** The honest service behind it, and what it was asked. */
  readonly sandbox: Sandbox;
  readonly control: SandboxControl;
  /** Replaces the answers of `route` until it behaves again or the returned function is called. */
  readonly attack: (route: RouteName, attack: Attack) => () => void;
};

export type StartedHostileService = HostileService & {
  /** Honest again. */
  readonly behave: () => void;
  readonly close: () => Promise<void>;
};

/** Starts a hostile service, which is honest until it is told to attack. */
export const startHostileService = async (options: SandboxOptions = {}): Promise<StartedHostileService> => {
  const attacks = new Map<RouteName, Attack>();
  const sandbox = await startSandbox({ consent: 'auto', ...options });
  let baseUrl = '';
  const server = createServer((incoming, response) => {
    const route = routeOf(incoming);
    const attack = route && attacks.get(route);
    const honest = () => askSandbox(incoming, sandbox.baseUrl, baseUrl);
    const answer = async (): Promise<void> =>
      attack ? attack({ request: incoming, response, honest }) : answerAs(response, await honest());
    // The app may have disconnected, or the sandbox may be closed.
    answer().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${portOf(server)}`;
  return {
    address: { baseUrl, authUrl: `${baseUrl}/oauth`, clientId: sandbox.clientId },
    sandbox,
    control: createSandboxControl(sandbox),
    attack: (route, attack) => {
      attacks.set(route, attack);
      return () => void attacks.delete(route);
    },
    behave: () => attacks.clear(),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await sandbox.close();
    },
  };
};

/** Writes `answer`, changed by the attack. */
export const answerAs = (
  response: ServerResponse,
  { status, headers, body }: { status: number; headers?: IncomingHttpHeaders; body: string },
): void => {
  const { 'content-length': _length, 'transfer-encoding': _coding, connection: _hop, ...kept } = headers ?? {};
  const type = { 'content-type': 'application/json', ...kept };
  response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(body) }).end(body);
};

/** What the sandbox answers, unchanged. */
export const staysHonest: Attack = async ({ response, honest }) => answerAs(response, await honest());

/** An attack that answers what the sandbox answers, its JSON changed by `change`. */
export const lie =
  (change: (honest: unknown) => unknown): Attack =>
  async ({ response, honest }) => {
    const { status, headers, body } = await honest();
    answerAs(response, { status, headers, body: JSON.stringify(change(JSON.parse(body))) });
  };

const routes: readonly (readonly [RouteName, string, RegExp])[] = [
  ['list-protocols', 'GET', /^\/contractor\/compiled-inspection-protocols\/contractor$/],
  ['list-assignments', 'GET', /^\/contractor\/compiled-inspection-protocols\/[^/]+\/assignments$/],
  ['list-inspection-points', 'GET', /^\/contractor\/compiled-inspection-protocols\/[^/]+\/inspection-points$/],
  ['list-project-assignments', 'GET', /^\/contractor\/assignments\/projects$/],
  ['sign-upload', 'POST', /^\/contractor\/assignments\/[^/]+\/files\/sign-upload$/],
  ['remove-file', 'DELETE', /^\/contractor\/assignments\/[^/]+\/files$/],
  ['update-plan-after', 'PUT', /^\/contractor\/assignments\/[^/]+\/plan-after$/],
  ['list-orderable-events', 'GET', /^\/contractor\/orderable-events$/],
  ['authorize', 'GET', /^\/oauth\/authorize$/],
  ['token', 'POST', /^\/oauth\/token$/],
  ['storage-put', 'PUT', /^\/storage\//],
];

const routeOf = ({ method, url = '' }: IncomingMessage): RouteName | undefined => {
  const [path = ''] = url.split('?');
  return routes.find(([, verb, pattern]) => verb === method && pattern.test(path))?.[0];
};

const askSandbox = async (incoming: IncomingMessage, from: string, to: string): Promise<HonestAnswer> => {
  const body = await buffer(incoming);
  const { host: _host, connection: _hop, 'transfer-encoding': _coding, ...headers } = incoming.headers;
  const asked = request(`${from}${incoming.url}`, {
    ...(incoming.method !== undefined && { method: incoming.method }),
    headers: { ...headers, 'content-length': body.byteLength },
    agent: false,
  }).end(body);
  // The sandbox may break the connection off in the middle of its answer, which then ends too early.
  asked.on('error', () => {});
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const rewritten = (await buffer(answer)).toString('utf8').replaceAll(from, to);
  const { location } = answer.headers;
  return {
    status: answer.statusCode ?? 502,
    headers: { ...answer.headers, ...(location && { location: location.replaceAll(from, to) }) },
    body: rewritten,
  };
};
