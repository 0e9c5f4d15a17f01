/** Emulates an office's line to the internet in a separate process. All connections share the line. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findProgram } from './programs.ts';

/** The specification of a line. Speeds are those of the payload: the headers of packets are not counted. */
export type LineSpec = {
  /**
   * The time from one end to the other and back, with empty buffers. Opening a connection takes another round trip, as
   * a TCP handshake does.
   */
  readonly roundTripMs: number;
  /** In each direction. */
  readonly bitsPerSecond: number;
  /** How long a full buffer takes to empty, in each direction. While it is full, senders wait and take turns. */
  readonly bufferMs: number;
  /** The maximum additional time in each direction, at random; the order is kept. */
  readonly jitterMs?: number;
  /** Nothing is carried for `forMs` in every `everyMs`, as when a computer changes between Wi-Fi stations. */
  readonly pause?: { readonly everyMs: number; readonly forMs: number };
};

/** A server at the far end of the line. */
export type FarEnd = {
  /** The server's port on 127.0.0.1. */
  readonly port: number;
  /** Key and certificate as PEM. With them, TLS ends at the far end, so that its handshakes cross the line. */
  readonly tls?: { readonly key: string; readonly cert: string };
};

export type Line = {
  /** Resolves to a port on 127.0.0.1 whose connections reach `end` over the line. */
  readonly to: (end: FarEnd) => Promise<number>;
  readonly close: () => Promise<void>;
};

const relay = fileURLToPath(new URL('line-relay.ts', import.meta.url));

/**
 * A program that opens the relay's listening sockets with options that Node cannot set, and then becomes the relay.
 * Without these options, the loopback interface takes 4 MB of each connection at once, so that a sender hardly notices
 * the line. With a small buffer of the receiver and the segments of a real line, it takes about 1 MB, nearly all of it
 * in the sender's own buffer.
 */
const LISTEN = `use Socket qw(:DEFAULT IPPROTO_TCP);
$^F = 255;
my $TCP_MAXSEG = 2;
my ($sockets, @command) = @ARGV;
my (@open, @fds);
for (1 .. $sockets) {
  socket(my $socket, PF_INET, SOCK_STREAM, 0) or die $!;
  setsockopt($socket, SOL_SOCKET, SO_RCVBUF, 32768) or die $!;
  setsockopt($socket, IPPROTO_TCP, $TCP_MAXSEG, 1460) or die $!;
  bind($socket, sockaddr_in(0, INADDR_LOOPBACK)) or die $!;
  push @open, $socket;
  push @fds, fileno($socket);
}
exec(@command, join(',', @fds)) or die $!;`;

/** The maximum number of far ends of a line. */
const SOCKETS = 6;

/** Starts a line. It ends with this process. */
export const startLine = async (spec: LineSpec): Promise<Line> => {
  const become = ['-e', LISTEN, '--', String(SOCKETS), process.execPath];
  const child = fork(relay, [JSON.stringify(spec)], { execPath: findProgram('perl'), execArgv: become });
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
