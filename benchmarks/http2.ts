/**
 * Measures what undici does with `allowH2`, for docs/adr/0024: sends 400 POST requests, 100 at once, to a server on
 * this computer that responds to each after 60 ms. Prints the table of the ADR.
 *
 *     node benchmarks/http2.ts
 */
import { once } from 'node:events';
import { createSecureServer, type ServerHttp2Session } from 'node:http2';
import { Agent, request } from 'undici';
import { portOf } from '../src/main/net/urls.ts';
import { makeCertificate } from './support/certificate.ts';
import { seconds } from './support/measure.ts';
import { inDirectory } from './support/rig.ts';

const REQUESTS = 400;
const AT_ONCE = 100;
const DELAY_MS = 60;
const GOAWAY_MS = 200;

type Way = { readonly name: string; readonly options: Agent.Options; readonly goesAway?: boolean };

const one = { allowH2: true, connections: 1 } as const;
const WAYS: readonly Way[] = [
  { name: 'HTTP/1.1', options: { allowH2: false } },
  { name: '`allowH2`', options: { allowH2: true } },
  { name: '`allowH2`, `connections: 1`', options: one },
  { name: 'the same, `pipelining: 100`', options: { ...one, pipelining: AT_ONCE } },
  { name: `the same, with a GOAWAY every ${GOAWAY_MS} ms`, options: { ...one, pipelining: AT_ONCE }, goesAway: true },
];

/** Starts a server over TLS that counts its connections and requests, and the maximum of concurrent requests. */
const startServer = async (tls: { readonly key: string; readonly cert: string }, goesAway: boolean) => {
  let [connections, received, open, most] = [0, 0, 0, 0];
  const sessions = new Set<ServerHttp2Session>();
  const server = createSecureServer({ ...tls, allowHTTP1: true }, (incoming, outgoing) => {
    incoming.resume();
    received += 1;
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      outgoing.end();
    }, DELAY_MS);
  });
  server.on('secureConnection', () => (connections += 1));
  server.on('sessionError', () => {});
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const timer = setInterval(() => {
    if (goesAway) for (const session of sessions) session.close();
  }, GOAWAY_MS);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `https://127.0.0.1:${portOf(server)}/`,
    seen: () => ({ connections, received, most }),
    close: () => {
      clearInterval(timer);
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
};

const measure = async ({ name, options, goesAway = false }: Way, dir: string): Promise<string> => {
  const { tls } = makeCertificate(dir);
  const server = await startServer(tls, goesAway);
  const dispatcher = new Agent({ ...options, connect: { ca: tls.cert } });
  const lost = new Map<string, number>();
  let left = REQUESTS;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      try {
        const { body } = await request(server.url, { dispatcher, method: 'POST', body: 'content' });
        await body.dump();
      } catch (error) {
        const code = String(error instanceof Error && 'code' in error ? error.code : error);
        lost.set(code, (lost.get(code) ?? 0) + 1);
      }
    }
  };
  const took = await seconds(() => Promise.all(Array.from({ length: AT_ONCE }, worker)));
  const { connections, received, most } = server.seen();
  await dispatcher.destroy();
  server.close();
  const losses = [...lost].map(([code, count]) => `${count} (${code})`).join(', ');
  return `| ${[name, `${took.toFixed(2)} s`, connections, most, received, losses || 'none'].join(' | ')} |`;
};

process.stdout.write(
  '| agent | time | connections | at once, at most | received | lost |\n|---|---:|---:|---:|---:|---|\n',
);
await inDirectory(async (dir) => {
  for (const way of WAYS) process.stdout.write(`${await measure(way, dir)}\n`);
});
