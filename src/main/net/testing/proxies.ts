/** For tests: proxies on 127.0.0.1, which forward data, and record the requested targets and the logins. */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { portOf } from '../urls.ts';

export type TestProxy = AsyncDisposable & {
  /** `127.0.0.1:PORT`. */
  readonly name: string;
  /** The requested targets as `host:port`, in order. */
  readonly targets: readonly string[];
  /**
   * The login in each request, undefined if it has none: the Proxy-Authorization header or, with SOCKS,
   * `user:password`.
   */
  readonly logins: readonly (string | undefined)[];
  /** Returns the number of open connections. */
  readonly open: () => number;
  /** Ends all open connections. */
  readonly drop: () => void;
  /** Returns the number of bytes that clients have sent. */
  readonly receivedBytes: () => number;
  readonly close: () => Promise<void>;
};

type Rules = {
  /** The login that the proxy requires, as `user:password`. */
  readonly password?: string;
  /** The schemes that the proxy offers. It accepts a password only if Basic is one of them. */
  readonly schemes?: readonly string[];
  /** The status with which the proxy refuses every request. */
  readonly status?: number;
  /** Whether the proxy closes the first connection with a login, without a response. */
  readonly dropsFirst?: boolean;
  /** Whether the proxy sends its response byte by byte and never completely. */
  readonly drips?: boolean;
  /** Default: a free port. */
  readonly port?: number;
  /** The certificate and the key of an HTTPS proxy. Absent: an HTTP proxy. */
  readonly identity?: { readonly cert: string; readonly key: string };
  /** Returns the address to which the proxy connects in place of the target; undefined: it connects to the target. */
  readonly leadsTo?: () => { readonly host: string; readonly port: number } | undefined;
};

const opened = async (server: Server, lists: Pick<TestProxy, 'targets' | 'logins'>, port = 0): Promise<TestProxy> => {
  const sockets = new Set<Socket>();
  let receivedBytes = 0;
  const left = (socket: Socket): void => {
    sockets.delete(socket);
    receivedBytes += socket.bytesRead;
  };
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}).once('close', () => left(socket)));
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const name = `127.0.0.1:${portOf(server)}`;
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    drop();
    await closed;
  };
  return {
    name,
    open: () => sockets.size,
    ...lists,
    receivedBytes: () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, receivedBytes),
    drop,
    close,
    [Symbol.asyncDispose]: close,
  };
};

const join = (one: Duplex, other: Duplex): void => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy()).once('close', () => to.destroy());
  }
};

const hostAndPort = (authority: string): { host: string; port: number } => {
  const { hostname, port } = new URL(`http://${authority}`);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80 };
};

/** Starts a proxy that supports only CONNECT. */
export const startConnectProxy = ({
  password,
  schemes = ['Basic realm="office"'],
  status,
  dropsFirst = false,
  drips = false,
  port = 0,
  identity,
  leadsTo,
}: Rules = {}): Promise<TestProxy> => {
  const targets: string[] = [];
  const logins: (string | undefined)[] = [];
  const server = identity ? createHttpsServer(identity) : createHttpServer();
  const wanted = password === undefined ? undefined : `Basic ${Buffer.from(password).toString('base64')}`;
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => {});
    targets.push(url);
    logins.push(headers['proxy-authorization']);
    if (dropsFirst && logins.filter((login) => login !== undefined).length === 1 && logins.at(-1) !== undefined)
      return void client.destroy();
    if (drips) {
      client.write('HTTP/1.1 200 OK\r\nx-patience: ');
      const timer = setInterval(() => client.write('a'), 50);
      client.once('close', () => clearInterval(timer));
      return;
    }
    if (status !== undefined) {
      client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 2\r\n\r\nno`);
      return;
    }
    const takesPasswords = schemes.some((scheme) => scheme.startsWith('Basic'));
    if (wanted !== undefined && !(takesPasswords && headers['proxy-authorization'] === wanted)) {
      const offers = schemes.map((scheme) => `proxy-authenticate: ${scheme}\r\n`).join('');
      client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${offers}content-length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(leadsTo?.() ?? hostAndPort(url));
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      join(client, upstream);
    });
    upstream.on('error', () => client.writable && client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  });
  return opened(server, { targets, logins }, port);
};

/**
 * Starts a proxy that sends the result of `answer` as its response to each CONNECT; if that is undefined, it opens a
 * tunnel that leads nowhere. `authorization`: the Proxy-Authorization header; `step`: the number of the CONNECT on its
 * connection, from 1.
 */
export const startScriptedProxy = (
  answer: (authorization: string | undefined, step: number) => string | undefined,
): Promise<TestProxy> => {
  const targets: string[] = [];
  const logins: (string | undefined)[] = [];
  const server = createServer((client) => {
    let step = 0;
    client.setEncoding('latin1').on('data', (head: string) => {
      const authorization = /^proxy-authorization: (.*)\r$/im.exec(head)?.[1];
      targets.push(head.split(' ', 2)[1] ?? '');
      logins.push(authorization);
      step += 1;
      const response = answer(authorization, step);
      client.write(response ?? 'HTTP/1.1 200 Connection established\r\n\r\n');
      if (response?.includes('connection: close')) client.end();
    });
  });
  return opened(server, { targets, logins });
};

/** Reads exactly `count` bytes. */
const take = async (socket: Socket, count: number): Promise<Buffer> => {
  for (;;) {
    const bytes: Buffer | null = socket.read(count);
    if (bytes) return bytes;
    await once(socket, 'readable');
  }
};

const serveSocks = async (
  client: Socket,
  targets: string[],
  logins: (string | undefined)[],
  password: string | undefined,
): Promise<void> => {
  const [, count = 0] = await take(client, 2);
  const methods = [...(await take(client, count))];
  const method = password === undefined ? 0 : 2;
  if (!methods.includes(method)) return void client.end(Buffer.from([5, 0xff]));
  client.write(Buffer.from([5, method]));
  if (password !== undefined) {
    const [, userLength = 0] = await take(client, 2);
    const user = await take(client, userLength);
    const [secretLength = 0] = await take(client, 1);
    const login = `${user}:${await take(client, secretLength)}`;
    logins.push(login);
    if (login !== password) return void client.end(Buffer.from([1, 1]));
    client.write(Buffer.from([1, 0]));
  }
  const [, , , kind = 0] = await take(client, 4);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await take(client, 1))[0] ?? 0);
  const address = await take(client, length);
  const host = kind === 1 ? address.join('.') : address.toString();
  const port = (await take(client, 2)).readUInt16BE();
  targets.push(`${host}:${port}`);
  const upstream = connect({ host, port });
  const answer = (reply: number) => Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
  upstream.once('connect', () => {
    client.write(answer(0));
    join(client, upstream);
  });
  upstream.on('error', () => client.writable && client.end(answer(5)));
};

/** Starts a SOCKS5 proxy (RFC 1928), which requires a user name and a password (RFC 1929) if `password` is set. */
export const startSocksProxy = ({ password }: Pick<Rules, 'password'> = {}): Promise<TestProxy> => {
  const targets: string[] = [];
  const logins: (string | undefined)[] = [];
  const server = createServer((client) => {
    serveSocks(client, targets, logins, password).catch(() => client.destroy());
  });
  return opened(server, { targets, logins });
};
