/**
 * A service that misbehaves on demand. It forwards all requests, including those to signed URLs, to an honest sandbox,
 * until a test replaces the responses of a route.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { portOf } from '../../../src/main/net/urls.ts';
import type { RouteName } from '../../../src/sandbox/http/http.ts';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { createSandboxControl, type SandboxControl } from '../../../src/sandbox/testing/control-client.ts';

/** A response of the sandbox, read to its end. Its addresses lead to the hostile service. */
type HonestAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** A request that an attack handles. */
type Met = {
  readonly request: IncomingMessage;
  /** The attack can send, delay, cut short or never send this response. */
  readonly response: ServerResponse;
  /** Forwards the request to the sandbox, and resolves to its response. */
  readonly honest: () => Promise<HonestAnswer>;
};

/** Responds to a request instead of the sandbox. */
export type Attack = (met: Met) => void | Promise<void>;

export type HostileService = {
  /** The addresses for the app. */
  readonly address: Pick<Sandbox, 'baseUrl' | 'authUrl' | 'clientId'>;
  /** The honest service that gets the forwarded requests. */
  readonly sandbox: Sandbox;
  readonly control: SandboxControl;
  /** Replaces the responses of `route` until `behave` or the returned function is called. */
  readonly attack: (route: RouteName, attack: Attack) => () => void;
};

export type StartedHostileService = HostileService & {
  /** Ends all attacks. */
  readonly behave: () => void;
  readonly close: () => Promise<void>;
};

/** Starts a hostile service, which is honest until `attack` is called. */
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
    // The app may have disconnected, or the sandbox may have been closed.
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

/** Sends a response with the length of `body`. */
export const answerAs = (
  response: ServerResponse,
  { status, headers, body }: { status: number; headers?: IncomingHttpHeaders; body: string },
): void => {
  const { 'content-length': _length, 'transfer-encoding': _coding, connection: _hop, ...kept } = headers ?? {};
  const type = { 'content-type': 'application/json', ...kept };
  response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(body) }).end(body);
};

export const staysHonest: Attack = async ({ response, honest }) => answerAs(response, await honest());

/** Sends the sandbox's response, after `change` has changed its JSON. */
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
  // The sandbox may reset the connection during its response, which then ends too early.
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
