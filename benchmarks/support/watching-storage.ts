/** A storage on 127.0.0.1 that stores nothing, but records when bytes arrive. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../src/main/net/urls.ts';

/** `atMs`: by `performance.now()`. */
export type Arrival = { readonly atMs: number; readonly bytes: number };

type WatchingStorage = {
  readonly baseUrl: string;
  /** The received bytes of bodies since the last reset, in order of arrival. */
  readonly arrivals: () => readonly Arrival[];
  readonly reset: () => void;
  readonly close: () => void;
};

/** Starts a storage that responds to every request with 201. */
export const startWatchingStorage = async (): Promise<WatchingStorage> => {
  let arrivals: Arrival[] = [];
  const server = createServer((incoming, outgoing) => {
    incoming.on('data', ({ length }: Buffer) => arrivals.push({ atMs: performance.now(), bytes: length }));
    incoming.once('end', () => outgoing.writeHead(201).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    arrivals: () => arrivals,
    reset: () => {
      arrivals = [];
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
