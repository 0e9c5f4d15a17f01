/**
 * Lets a command run in the process that has the data directory open. The two communicate over a socket in that
 * directory (on Windows a named pipe), never over the network. Before a request is sent, each end proves that it can
 * read a key that only the user can read. The running process gives its proof first, because another user may listen at
 * its address. Messages are lines of JSON of a limited length.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, DeskError } from '../../../contract/errors.ts';
import { onAbort } from '../../async/cancel.ts';
import { FILE_MODE } from '../../data/files.ts';
import { type Stream, writePieces } from './terminal.ts';

/**
 * The environment variables that a command passes on. In everything else, the environment of the app applies
 * (docs/command-line.md).
 */
const VARIABLES = [
  ...['LC_ALL', 'LC_MESSAGES', 'LANG'],
  ...['INSPECTION_DESK_BASE_URL', 'INSPECTION_DESK_AUTH_URL', 'INSPECTION_DESK_CLIENT_ID'],
  ...['INSPECTION_DESK_REDIRECT_URI', 'INSPECTION_DESK_SCOPE', 'INSPECTION_DESK_TOKEN_STORE'],
] as const;

/** The size of the whole request is limited by `REQUEST_BYTES`. */
const Request = z.strictObject({
  args: z.array(z.string()).readonly(),
  cwd: z.string(),
  env: z.partialRecord(z.enum(VARIABLES), z.string()),
  timeZone: z.string(),
  stdoutIsTTY: z.boolean(),
  stderrIsTTY: z.boolean(),
  columns: z.int().min(1).optional(),
});
export type CommandRequest = z.infer<typeof Request>;

const Nonce = z.string().regex(/^[0-9a-f]{64}$/);
const Hello = z.strictObject({ nonce: Nonce });
const Proof = z.strictObject({ proof: Nonce });
const Challenge = z.strictObject({ nonce: Nonce, proof: Nonce });
const Stop = z.strictObject({ stop: z.literal(true) });
const ServerMessage = z.union([
  z.strictObject({ out: z.string() }),
  z.strictObject({ err: z.string() }),
  z.strictObject({ exit: z.int().min(0).max(255) }),
]);

const SMALL_BYTES = 1024;
/** The maximum size of a request. A system passes at most 6 MiB of arguments, which become longer as JSON. */
const REQUEST_BYTES = 16 * 1024 * 1024;
/** The length of the parts in which output is sent, in characters. A character takes at most six characters as JSON. */
const PART_LENGTH = 65_536;
const RESPONSE_BYTES = 8 * PART_LENGTH;
/**
 * The maximum size of unread output. A command with more is disconnected, so that its output cannot fill the memory.
 */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;
const HANDSHAKE_MS = 5_000;
const MOST_COMMANDS = 64;

/** The longest path of a socket on macOS. On Linux, the path can be four bytes longer. */
const LONGEST_PATH_BYTES = 103;

const keyPath = (home: string): string => join(home, 'command.key');

/** The name of the pipe is derived from the key, so that no other user can create a pipe of that name first. */
const addressOf = (home: string, key: string): string =>
  process.platform === 'win32'
    ? `\\\\.\\pipe\\inspection-desk-${createHmac('sha256', key).update('pipe').digest('hex').slice(0, 32)}`
    : join(home, 'command.sock');

/**
 * Reads the key of the process that has `home` open; undefined if there is no key, or if others could read or replace
 * it.
 */
const readKey = (home: string): string | undefined => {
  const path = keyPath(home);
  const uid = process.getuid?.();
  const isPrivate = ({ uid: owner, mode }: { readonly uid: number; readonly mode: number }, forbidden: number) =>
    uid === undefined || (owner === uid && (mode & forbidden) === 0);
  try {
    const found = lstatSync(path);
    if (!found.isFile() || !isPrivate(found, 0o077) || !isPrivate(statSync(home), 0o022)) return undefined;
    return found.size === 64 ? Nonce.safeParse(readFileSync(path, 'utf8')).data : undefined;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
};

const randomNonce = (): string => randomBytes(32).toString('hex');

/**
 * Returns the proof that `side` has the key. The proof covers both nonces, so it is useless in any other connection.
 */
const proofOf = (key: string, side: 'app' | 'command', ofCommand: string, ofApp: string): string =>
  createHmac('sha256', key).update(`${side} ${ofCommand} ${ofApp}`).digest('hex');

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));

const send = (socket: Socket, message: object): boolean => socket.write(`${JSON.stringify(message)}\n`);

/** Creates a reader of messages. It rejects if a message is too long or invalid, and when the connection ends. */
const createReader = (socket: Socket) => {
  const chunks: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async <T>(schema: z.ZodType<T>, mostBytes: number): Promise<T> => {
    const parts = [rest];
    let bytes = rest.length;
    let end = rest.indexOf(10);
    while (end < 0) {
      if (bytes > mostBytes) throw new Error('the message is too long');
      const { value, done } = await chunks.next();
      if (done) throw new Error('the other end has gone');
      const at = value.indexOf(10);
      if (at >= 0) end = bytes + at;
      parts.push(value);
      bytes += value.length;
    }
    if (end > mostBytes) throw new Error('the message is too long');
    const whole = Buffer.concat(parts);
    rest = whole.subarray(end + 1);
    return schema.parse(JSON.parse(whole.toString('utf8', 0, end)));
  };
};

export type CommandIo = {
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Aborted when the process of the command asks for a stop: after Ctrl-C, SIGTERM or a closed output. */
  readonly interrupt: AbortSignal;
  /** Aborted when the process of the command has gone, and when this process stops its commands. */
  readonly left: AbortSignal;
};

export type CommandServer = Awaited<ReturnType<typeof serveCommands>>;

/**
 * Runs the commands of other processes of this user. `home`: the data directory, which this process has locked. `run`
 * resolves to the exit code. If no socket can be created, because its path has more than 103 bytes or the file system
 * has no sockets, `onBug` receives the reason, and the other processes' commands fail with `data/in-use`.
 */
export const serveCommands = async (
  home: string,
  run: (request: CommandRequest, io: CommandIo) => Promise<number>,
  onBug: (error: unknown) => void,
) => {
  const key = randomNonce();
  const address = addressOf(home, key);
  const isFile = process.platform !== 'win32';
  const ending = new AbortController();
  const running = new Set<Promise<unknown>>();
  const server = createServer((socket) => {
    // Without a listener, an error would be thrown as uncaught. Reads and writes fail with the error anyway.
    socket.on('error', () => {});
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const ended = serve(socket, key, run, ending.signal)
      .catch(onBug)
      .then(() => {
        socket.destroySoon();
        // The command's process may have stopped reading.
        setTimeout(() => socket.destroy(), HANDSHAKE_MS).unref();
        return closed;
      })
      .finally(() => running.delete(ended));
    running.add(ended);
  });
  server.maxConnections = MOST_COMMANDS;
  const forget = (): void => {
    rmSync(keyPath(home), { force: true });
    if (isFile) rmSync(address, { force: true });
  };
  try {
    // A killed process leaves its key and its socket behind.
    forget();
    if (isFile && Buffer.byteLength(address) > LONGEST_PATH_BYTES)
      throw new Error('the path of the socket is too long');
    const listening = Promise.withResolvers<void>();
    server.once('error', listening.reject).listen(address, listening.resolve);
    await listening.promise;
    server.off('error', listening.reject).on('error', onBug);
    if (isFile) chmodSync(address, FILE_MODE);
    writeFileSync(keyPath(home), key, { mode: FILE_MODE, flag: 'wx' });
  } catch (error) {
    onBug(error);
  }
  const settle = async (): Promise<void> => {
    if (server.listening) forget();
    server.close();
    await Promise.all(running);
  };
  return {
    /** Accepts no more commands. Resolves when the running commands have ended. */
    settle,
    close: (): Promise<void> => {
      ending.abort(new DeskError('app/ended', 'the app that ran the command has ended'));
      return settle();
    },
  };
};

/**
 * Serves one connection. Runs no command for a client that cannot prove that it has the key, or whose request is not
 * valid.
 */
const serve = async (
  socket: Socket,
  key: string,
  run: (request: CommandRequest, io: CommandIo) => Promise<number>,
  ending: AbortSignal,
): Promise<void> => {
  const read = createReader(socket);
  const request = await authenticate(socket, key, read, ending).catch(() => undefined);
  if (!request) return;
  const interrupt = new AbortController();
  const gone = new AbortController();
  const listen = async (): Promise<never> => {
    for (;;) {
      await read(Stop, SMALL_BYTES);
      interrupt.abort(new DeskError('app/cancelled', 'stopped'));
    }
  };
  listen().catch(() => gone.abort(new DeskError('app/cancelled', 'nobody waits for the command')));
  const { stdoutIsTTY, stderrIsTTY, columns } = request;
  const shown = columns === undefined ? {} : { columns };
  const exit = await run(request, {
    stdout: { ...streamTo(socket, 'out'), isTTY: stdoutIsTTY, ...shown },
    stderr: { ...streamTo(socket, 'err'), isTTY: stderrIsTTY, ...shown },
    interrupt: interrupt.signal,
    left: AbortSignal.any([gone.signal, ending]),
  });
  if (!socket.destroyed) send(socket, { exit });
};

const authenticate = async (
  socket: Socket,
  key: string,
  read: ReturnType<typeof createReader>,
  ending: AbortSignal,
): Promise<CommandRequest> => {
  const timer = setTimeout(() => socket.destroy(), HANDSHAKE_MS);
  const stop = onAbort(ending, () => socket.destroy());
  try {
    const { nonce } = await read(Hello, SMALL_BYTES);
    const own = randomNonce();
    send(socket, { nonce: own, proof: proofOf(key, 'app', nonce, own) });
    const { proof } = await read(Proof, SMALL_BYTES);
    if (!isSame(proof, proofOf(key, 'command', nonce, own))) throw new Error('the key is another one');
    return await read(Request, REQUEST_BYTES);
  } finally {
    clearTimeout(timer);
    stop();
  }
};

/** Creates a stream that sends its output to the command's process. Output is dropped if that process has ended. */
const streamTo = (socket: Socket, name: 'out' | 'err'): Stream => ({
  write: (text) => {
    let hasRoomLeft = true;
    for (let from = 0; from < text.length && !socket.destroyed; ) {
      const end = from + PART_LENGTH;
      // Never splits a surrogate pair.
      const part = text.slice(from, (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end);
      hasRoomLeft = send(socket, { [name]: part });
      from += part.length;
    }
    if (socket.writableLength > MOST_UNREAD_BYTES) socket.destroy();
    return hasRoomLeft || socket.destroyed;
  },
  once: (event, listener) => socket.once(event, listener),
  off: (event, listener) => socket.off(event, listener),
});

/** The terminal of a command that another process runs. `signal` is aborted by Ctrl-C, for example. */
type CommandTerminal = Pick<CommandIo, 'stdout' | 'stderr'> & {
  readonly signal: AbortSignal;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * Lets the process that has `home` open run the command of `args`, and resolves to its exit code. Resolves to undefined
 * if no process responds, or if the process does not prove that it has the key. Errors: `app/ended` if the process ends
 * before the command does.
 */
export const handOver = async (
  home: string,
  args: readonly string[],
  { cwd, env, stdout, stderr, signal }: CommandTerminal,
): Promise<number | undefined> => {
  const key = readKey(home);
  const socket = key && (await reach(addressOf(home, key)));
  if (!socket) return undefined;
  const read = createReader(socket);
  const timer = setTimeout(() => socket.destroy(), HANDSHAKE_MS);
  let stop = (): void => {};
  try {
    const nonce = randomNonce();
    send(socket, { nonce });
    const app = await read(Challenge, SMALL_BYTES).catch(() => undefined);
    if (!app || !isSame(app.proof, proofOf(key, 'app', nonce, app.nonce))) return undefined;
    clearTimeout(timer);
    send(socket, { proof: proofOf(key, 'command', nonce, app.nonce) });
    const request: CommandRequest = {
      args,
      cwd,
      env: Object.fromEntries(VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      stdoutIsTTY: stdout.isTTY === true,
      stderrIsTTY: stderr.isTTY === true,
      ...(stderr.columns && { columns: stderr.columns }),
    };
    send(socket, request);
    stop = onAbort(signal, () => send(socket, { stop: true }));
    for (;;) {
      const message = await read(ServerMessage, RESPONSE_BYTES);
      if ('exit' in message) return message.exit;
      // The app has already replaced characters that could control the terminal.
      if ('out' in message) await writePieces(stdout, [message.out]);
      else await writePieces(stderr, [message.err]);
    }
  } catch (cause) {
    throw new DeskError('app/ended', 'the app that ran the command has ended', { cause });
  } finally {
    clearTimeout(timer);
    stop();
    socket.destroy();
  }
};

const reach = (address: string): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(socket));
    // The listener stays, because later errors would be uncaught without it. Reads and writes fail with them anyway.
    socket.on('error', () => resolve(undefined));
  });
