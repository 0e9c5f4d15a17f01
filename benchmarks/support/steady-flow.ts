/** Emulates another program on the line, which sends over one connection as fast as the line permits. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../src/main/net/urls.ts';
import type { Line } from './line.ts';

export type SteadyFlow = {
  readonly arrivedBytes: () => number;
  readonly close: () => void;
};

const PART = Buffer.alloc(64 * 1024);

export const startSteadyFlow = async (line: Line): Promise<SteadyFlow> => {
  let bytes = 0;
  const receivers: Socket[] = [];
  const server = createServer((socket) => {
    receivers.push(socket);
    socket.on('data', ({ length }) => {
      bytes += length;
    });
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = await line.to({ port: portOf(server) });
  const sender = connect(port, '127.0.0.1');
  const fill = (): void => {
    while (sender.write(PART));
  };
  sender.on('error', () => {});
  sender.on('drain', fill);
  sender.once('connect', fill);
  return {
    arrivedBytes: () => bytes,
    close: () => {
      sender.destroy();
      for (const socket of receivers) socket.destroy();
      server.close();
    },
  };
};
