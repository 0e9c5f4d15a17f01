/**
 * The process of an emulated line (line.ts). Its arguments are a `LineSpec` and the numbers of the sockets to listen
 * on. It responds to each `FarEnd` message with a port.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { createServer as createTlsServer } from 'node:tls';
import { portOf } from '../../src/main/net/urls.ts';
import type { FarEnd, LineSpec } from './line.ts';
import { createWay, type Way } from './line-way.ts';

/** The size of a packet without content, as in handshakes. */
const PACKET_BYTES = 60;

const [line = '{}', sockets = ''] = process.argv.slice(2);
const spec = JSON.parse(line) as LineSpec;
const freeSockets = sockets.split(',').map(Number);
try {
  // A real line does not slow down when the computer is busy. Only administrators can raise the priority.
  setPriority(-15);
} catch {}

const up = createWay(spec);
const down = createWay(spec);

/** Carries the bytes of `from` over `way` to `to`. */
const carry = (from: Socket, to: Socket, way: Way): void => {
  const goOn = (): void => {
    if (to.writableNeedDrain) to.once('drain', goOn);
    else from.resume();
  };
  from.on('data', (content: Buffer) => {
    let taken = 0;
    let isAll = false;
    way({
      bytes: content.length,
      take: (bytes) => {
        const part = content.subarray(taken, taken + bytes);
        taken += bytes;
        return () => void (to.destroyed || to.write(part));
      },
      onTaken: () => {
        isAll = true;
        if (from.isPaused()) goOn();
      },
    });
    // Stops reading while the buffer of the line is full, or while the receiver does not keep up.
    if (!isAll) from.pause();
    else if (to.writableNeedDrain) {
      from.pause();
      goOn();
    }
  });
  from.once('end', () => way({ bytes: 0, take: () => () => void to.end() }));
  from.on('error', () => {});
  from.once('close', (hadError) => {
    if (hadError || !from.readableEnded) way({ bytes: 0, take: () => () => void to.destroy() });
  });
};

/** `fd`: a bound socket; absent: a new socket. */
const listen = async (server: Server, fd?: number): Promise<number> => {
  if (fd === undefined) server.listen(0, '127.0.0.1');
  else server.listen({ fd });
  await once(server, 'listening');
  return portOf(server);
};

/** Starts a server at the far end that decrypts TLS for `port`. Resolves to the port of the server. */
const endTls = (port: number, tls: NonNullable<FarEnd['tls']>): Promise<number> =>
  listen(
    createTlsServer({ ...tls, noDelay: true }, (socket) => {
      const behind = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.on('error', () => behind.destroy());
      behind.on('error', () => socket.destroy());
      socket.pipe(behind).pipe(socket);
    }),
  );

const open = async ({ port, tls }: FarEnd): Promise<number> => {
  const fd = freeSockets.pop();
  if (fd === undefined) throw new Error('the line has no more sockets');
  const farPort = tls ? await endTls(port, tls) : port;
  return listen(
    createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (near) => {
      const far = connect({ port: farPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
      carry(far, near, down);
      // The system has already accepted the connection. The first byte leaves when a handshake over the line would end.
      const begin = () => (near.destroyed ? far.destroy() : carry(near.resume(), far, up));
      near.on('error', () => {});
      const answer = { bytes: PACKET_BYTES, take: () => () => void begin() };
      up({ bytes: PACKET_BYTES, take: () => () => down(answer) });
    }),
    fd,
  );
};

process.on('message', (end: FarEnd) => void open(end).then((port) => process.send?.(port)));
process.once('disconnect', () => process.exit());
