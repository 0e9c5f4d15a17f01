/**
 * How electron-updater reaches the update server: over the app's own routes, so that proxies and trust are the same, and with
 * a limit for everything that is read.
 */
import { EventEmitter } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { RequestOptions } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  CancellationToken,
  DigestTransform,
  type DownloadOptions,
  HttpError,
  HttpExecutor,
  newError,
  ProgressCallbackTransform,
} from 'builder-util-runtime';
import type { Dispatcher } from 'undici';
import { isLoopback } from '../../../../contract/connection.ts';
import { MOST_DESCRIPTION_BYTES, readDescription } from './description.ts';

/** The list of an installer's blocks, compressed and as text. That of 150 MB has some 300 kB of text. */
const MOST_BLOCK_MAP_BYTES = 1024 * 1024;
const MOST_BLOCK_MAP_TEXT = 8 * 1024 * 1024;

/** The hash of an installer is known only at its end. */
const MOST_INSTALLER_BYTES = 1024 * 1024 * 1024;

/** For all of a description or a block map, its redirects included. */
const SMALL_FILE_TIMEOUT_MS = 60_000;

const MOST_REDIRECTS = 5;

/** electron-updater counts with these how many of its users get a version. Nobody is counted here. */
const unsent = /^x-user-staging-id$/i;

type Headers = RequestOptions['headers'] | null;

/** A request as `http.request` makes it, as far as electron-updater knows it. */
class RouteRequest extends EventEmitter {
  readonly #abort = new AbortController();
  readonly #send: (signal: AbortSignal) => Promise<void>;

  constructor(send: (signal: AbortSignal) => Promise<void>) {
    super();
    this.#send = send;
  }

  end(): void {
    this.#send(this.#abort.signal).catch((error: unknown) => this.emit('error', error));
  }

  abort(): void {
    this.#abort.abort();
  }
}

/** The requests of electron-updater over the dispatcher of `use`. */
export class RouteExecutor extends HttpExecutor<RouteRequest> {
  #dispatcher: Dispatcher | undefined;

  /** Every request from now on goes over `dispatcher`. */
  use(dispatcher: Dispatcher): void {
    this.#dispatcher = dispatcher;
  }

  /** Called with the address of a description; resolves to what is used of it, as JSON. */
  override request(options: RequestOptions, token = new CancellationToken()): Promise<string> {
    return cancellable(token, async (signal) => {
      const { body } = await this.#follow(urlOf(options), options.headers, within(SMALL_FILE_TIMEOUT_MS, signal));
      return readDescription((await readWhole(body, MOST_DESCRIPTION_BYTES)).toString('utf8'));
    });
  }

  /** Called with the address of a block map, which electron-updater unpacks without a limit of its own. */
  override downloadToBuffer(url: URL, { headers, cancellationToken }: DownloadOptions): Promise<Buffer> {
    return cancellable(cancellationToken, async (signal) => {
      const { body } = await this.#follow(url, headers, within(SMALL_FILE_TIMEOUT_MS, signal));
      const packed = await readWhole(body, MOST_BLOCK_MAP_BYTES);
      await promisify(gunzip)(packed, { maxOutputLength: MOST_BLOCK_MAP_TEXT });
      return packed;
    });
  }

  /** Called by the updaters with the file to write; its hash is checked while it comes. */
  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    const { headers, sha512, onProgress, cancellationToken } = options;
    return cancellable(cancellationToken, async (signal) => {
      const answer = await this.#follow(url, headers, signal);
      const totalBytes = Number(answer.headers['content-length']);
      const steps = [
        atMost(MOST_INSTALLER_BYTES),
        ...(onProgress && totalBytes > 0
          ? [new ProgressCallbackTransform(totalBytes, cancellationToken, onProgress)]
          : []),
        new DigestTransform(sha512 ?? ''),
      ];
      await pipeline([answer.body, ...steps, createWriteStream(destination)], { signal });
      return destination;
    });
  }

  /** Called for the parts of an installer that the one on this computer lacks. */
  createRequest(options: RequestOptions, onResponse: (response: unknown) => void): RouteRequest {
    return new RouteRequest(async (signal) => {
      const { body, statusCode, headers } = await this.#send(urlOf(options), options.headers, signal);
      const part = atMost(lengthOfRange(options.headers));
      pipeline(body, part).catch(() => {});
      onResponse(Object.assign(part, { statusCode, statusMessage: '', headers }));
    });
  }

  /** The answer of the last address that a redirect leads to. @throws HttpError if it is not 200 */
  async #follow(url: URL, headers: Headers | undefined, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let at = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const answer = await this.#send(at, headers, signal);
      if (answer.statusCode === 200) return answer;
      // What else is said is not read by anybody.
      answer.body.on('error', () => {}).destroy();
      const { location } = answer.headers;
      if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string')
        throw new HttpError(answer.statusCode);
      at = new URL(location, at);
    }
    throw new Error('too many redirects');
  }

  #send(url: URL, headers: Headers | undefined, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    if (!this.#dispatcher) throw new Error('there is no route yet');
    if (url.protocol !== 'https:' && !isLoopback(url)) throw new Error('a redirect leads to an address without TLS');
    const path = url.pathname + url.search;
    return this.#dispatcher.request({ origin: url.origin, path, method: 'GET', headers: sent(headers), signal });
  }
}

const cancellable = <T>(token: CancellationToken, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  token.createPromise<T>((resolve, reject, onCancel) => {
    const abort = new AbortController();
    onCancel(() => abort.abort());
    work(abort.signal).then(resolve, reject);
  });

const within = (timeoutMs: number, signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);

const urlOf = ({ protocol, hostname, port, path }: RequestOptions): URL =>
  new URL(path ?? '/', `${protocol}//${hostname}${port ? `:${port}` : ''}`);

const sent = (headers: Headers | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ 'cache-control': 'no-cache', ...headers }).flatMap(([name, value]) =>
      value === undefined || value === null || unsent.test(name) ? [] : [[name, String(value)]],
    ),
  );

const readWhole = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop ends the connection.
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Fails after `maxBytes`. */
const atMost = (maxBytes: number): Transform => {
  let left = maxBytes;
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      left -= chunk.length;
      if (left < 0) done(tooLarge());
      else done(null, chunk);
    },
  });
};

const tooLarge = (): Error => newError('more than a file of an update has', 'ERR_UPDATER_INVALID_UPDATE_INFO');

const lengthOfRange = (headers: Headers | undefined): number => {
  const range = Object.entries(headers ?? {}).find(([name]) => /^range$/i.test(name))?.[1];
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(String(range)) ?? [];
  return from === undefined ? MOST_INSTALLER_BYTES : Number(to) - Number(from) + 1;
};
