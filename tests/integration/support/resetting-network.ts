/** A network in front of a sandbox that can reset all connections instead of refusing them. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { portOf } from '../../../src/main/net/urls.ts';

type ResettingNetwork = {
  readonly url: string;
  /** Sets the port to which connections lead while the network works. */
  readonly leadTo: (port: number) => void;
  /** Resets the open connections and, from now on, each new one: immediately, or at its first bytes. */
  readonly breakDown: (when: 'at-once' | 'first-bytes') => void;
  readonly recover: () => void;
  /** The number of connections that were reset. */
  readonly resets: () => number;
};

/** Starts a network on 127.0.0.1, which works at first. */
export const startResettingNetwork = async (): Promise<ResettingNetwork> => {
  let port = 0;
  let broken: 'at-once' | 'first-bytes' | undefined;
  let resets = 0;
  const open = new Set<Socket>();
  const reset = (socket: Socket): void => {
    resets += 1;
    socket.resetAndDestroy();
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (broken === 'at-once') return reset(socket);
    if (broken === 'first-bytes') return void socket.once('data', () => reset(socket));
    open.add(socket);
    const onward = connect(port, '127.0.0.1');
    onward.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      onward.destroy();
    });
    onward.on('close', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    leadTo: (to) => {
      port = to;
    },
    breakDown: (when) => {
      broken = when;
      for (const socket of open) reset(socket);
    },
    recover: () => {
      broken = undefined;
    },
    resets: () => resets,
  };
};
