import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createProbeAgent } from './connector.ts';
import { createTimeRoundTrip } from './time-round-trip.ts';
import { portOf } from './urls.ts';

/**
 * Starts a server, and creates the round trips to it. `connections`: those that the server accepted; `sent`: how often
 * `onSent` was called.
 */
const open = async (answer: RequestListener) => {
  const connections: Socket[] = [];
  const server = createServer(answer).on('connection', (socket) => void connections.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const dispatcher = createProbeAgent();
  const timeRoundTrip = createTimeRoundTrip(dispatcher);
  onTestFinished(async () => {
    await dispatcher.destroy();
    server.closeAllConnections();
    server.close();
  });
  let sent = 0;
  const origin = `http://127.0.0.1:${portOf(server)}`;
  return {
    probe: () =>
      timeRoundTrip(origin, () => {
        sent += 1;
      }),
    connections,
    sent: () => sent,
  };
};

test('all round trips to a host use one connection', async () => {
  const { probe, connections, sent } = await open((_, response) => response.writeHead(403).end());
  for (let round = 0; round < 5; round += 1) await probe();
  expect(connections).toHaveLength(1);
  expect(sent()).toBe(5);
});

test('a connection that the host closed when it was idle is opened again before the request is sent', async () => {
  const { probe, connections, sent } = await open((_, response) => response.writeHead(403).end());
  await probe();
  const [first] = connections;
  first?.end();
  if (first && !first.closed) await once(first, 'close');
  await probe();
  expect(connections).toHaveLength(2);
  expect(sent()).toBe(2);
});

test('if the host closes the connection while the request is on its way, it is sent again, and timed from then', async () => {
  const used = new Set<Socket>();
  const { probe, connections, sent } = await open((request, response) => {
    if (used.has(request.socket)) return void request.socket.destroy();
    used.add(request.socket);
    response.writeHead(403).end();
  });
  await probe();
  await probe();
  expect(connections).toHaveLength(2);
  expect(sent()).toBe(3);
});

test('a host that closes every connection is not asked again', async () => {
  const { probe, connections } = await open((request) => void request.socket.destroy());
  await expect(probe()).rejects.toThrow();
  await expect(probe()).rejects.toThrow();
  expect(connections).toHaveLength(2);
});
