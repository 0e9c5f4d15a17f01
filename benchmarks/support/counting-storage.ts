/** A storage on 127.0.0.1 that discards all content and only counts files, so that there can be any number of them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../src/main/net/urls.ts';

/** `wrong`: the number of requests that were neither a PUT of the expected size nor a probe (HEAD without content). */
type Counted = { readonly files: number; readonly wrong: number };

export type CountingStorage = {
  readonly baseUrl: string;
  /** The counts since the last reset. */
  readonly counted: () => Counted;
  readonly reset: () => void;
  readonly close: () => void;
};

/** Starts a storage that responds to every request with 201, and expects files of `sizeBytes`. */
export const startCountingStorage = async (sizeBytes: number): Promise<CountingStorage> => {
  let files = 0;
  let wrong = 0;
  const server = createServer((incoming, outgoing) => {
    let bytes = 0;
    incoming.on('data', ({ length }: Buffer) => {
      bytes += length;
    });
    incoming.once('end', () => {
      if (incoming.method === 'PUT' && bytes === sizeBytes) files += 1;
      else if (incoming.method !== 'HEAD' || bytes > 0) wrong += 1;
      outgoing.writeHead(201).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    counted: () => ({ files, wrong }),
    reset: () => {
      files = 0;
      wrong = 0;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
