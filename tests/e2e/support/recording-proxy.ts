/** A proxy that records the requested hosts, and connects only to this computer. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { portOf } from '../../../src/main/net/urls.ts';

type RecordingProxy = {
  /** `host:port`. */
  readonly address: string;
  /** The requested hosts with their ports, each once. */
  readonly hosts: () => readonly string[];
  readonly close: () => Promise<void>;
};

export const startRecordingProxy = async (): Promise<RecordingProxy> => {
  const hosts = new Set<string>();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    hosts.add(new URL(request.url ?? '', 'http://none').host);
    response.writeHead(403).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', ({ url: authority = '' }, client: Socket) => {
    hosts.add(authority);
    client.on('error', () => client.destroy());
    const { hostname, port } = new URL(`http://${authority}`);
    if (hostname !== '127.0.0.1') {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    target.on('error', () => client.destroy());
    client.once('close', () => target.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${portOf(server)}`,
    hosts: () => [...hosts],
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
