/** An office's line to the internet, emulated by a process of its own: all connections through it share it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What a line is like. Its figures are those of the payload: the headers of packets are not counted. */
export type LineSpec = {
  /** From one end to the other and back, with empty buffers. A new connection takes one more, as a TCP handshake does. */
  readonly roundTripMs: number;
  /** Of each way. */
  readonly bitsPerSecond: number;
  /** How long a full buffer takes to empty, of each way. While it is full, senders wait and take turns. */
  readonly bufferMs: number;
  /** Each way takes up to this much longer, at random; nothing overtakes. */
  readonly jitterMs?: number;
  /** Nothing moves for `forMs` once every `everyMs`, as when a computer changes from one Wi-Fi station to the next. */
  readonly pause?: { readonly everyMs: number; readonly forMs: number };
};

/** What is behind a port of the line. */
export type FarEnd = {
  /** On 127.0.0.1. */
  readonly port: number;
  /** PEM. With them TLS ends at the far end of the line, so its handshakes cross the line. */
  readonly tls?: { readonly key: string; readonly cert: string };
};

export type Line = {
  /** A port on 127.0.0.1, whose connections reach the far end over the line. */
  readonly to: (end: FarEnd) => Promise<number>;
  readonly close: () => Promise<void>;
};

const relay = fileURLToPath(new URL('line-relay.ts', import.meta.url));

/** Starts a line. It ends with this process. */
export const startLine = async (spec: LineSpec): Promise<Line> => {
  const child = fork(relay, [JSON.stringify(spec)]);
  const ended = once(child, 'exit');
  return {
    to: async (end) => {
      const answered = once(child, 'message');
      child.send(end);
      const [port] = await Promise.race([
        answered,
        ended.then(([code]) => Promise.reject(new Error(`the line ended with ${code}`))),
      ]);
      return port;
    },
    close: async () => {
      child.disconnect();
      await ended;
    },
  };
};
