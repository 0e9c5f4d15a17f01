/**
 * Updates the app with electron-updater's providers, downloads and installers. All requests go through the app's own
 * dispatcher, and so through its proxies.
 */

import { hash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { RequestOptions } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
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
import type { AppUpdater, BaseUpdater, NsisUpdater, UpdateInfo } from 'electron-updater';
import { attempt } from 'es-toolkit/util/attempt';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { NewVersion } from '../../../../contract/app.ts';
import { isLoopback } from '../../../../contract/connection.ts';
import { codeOf, DeskError, type ErrorCode } from '../../../../contract/errors.ts';
import { USER_AGENT } from '../../../net/exchange.ts';
import type { Updater } from '../../../updates/updates.ts';
import type { UpdateWay } from './release.ts';

type UpdatedApp = NonNullable<ConstructorParameters<typeof NsisUpdater>[1]>;

type Parts = {
  readonly way: UpdateWay;
  readonly app: UpdatedApp;
  /**
   * Whether a downloaded installer has the offered version and the signature of the publisher. Called only on Windows.
   */
  readonly isTrusted: (path: string, version: string) => Promise<boolean>;
};

/** Creates the updater. The code of electron-updater is loaded when the updater is first used. */
export const createElectronUpdater = (parts: Parts): Pick<Updater, 'check' | 'download' | 'install'> => {
  let opened: Promise<Opened> | undefined;
  let present: Opened | undefined;
  let offered = '';
  /** The SHA-512 of the files of the offered version, in Base64. */
  let hashes: readonly string[] = [];
  let downloaded: readonly string[] = [];
  const isTrusted = (path: string): Promise<boolean> => parts.isTrusted(path, offered);
  const open = async (): Promise<Opened> => {
    opened ??= openUpdater(parts, isTrusted);
    present = await opened;
    return present;
  };
  return {
    check: async ({ address, channel }, dispatcher) => {
      const { updater, executor } = await open();
      executor.use(dispatcher, address);
      updater.setFeedURL({ provider: 'generic', url: address, channel, useMultipleRangeRequest: false });
      const response = await translating(() => updater.checkForUpdates());
      if (!response?.isUpdateAvailable) return undefined;
      offered = response.updateInfo.version;
      hashes = response.updateInfo.files.map(({ sha512 }) => sha512);
      return newVersion(response.updateInfo);
    },
    download: async (onPercent) => {
      const { updater } = await open();
      const onProgress = ({ percent }: { readonly percent: number }): void => onPercent(percent);
      updater.on('download-progress', onProgress);
      try {
        const files = await translating(() => updater.downloadUpdate());
        // electron-updater reuses files of an earlier start of the app without checking their signatures.
        for (const file of files) if (parts.way === 'nsis') await requireTrusted(file, isTrusted);
        downloaded = files;
      } finally {
        updater.off('download-progress', onProgress);
      }
    },
    install: (restart) => {
      // While an installer waits, another program of the user can replace it, and would get the rights of an
      // administrator that the user grants to the installer.
      const isSame = (file: string): boolean => hashes.includes(hash('sha512', readFileSync(file), 'base64'));
      if (parts.way !== 'nsis' || downloaded.every((file) => attempt(() => isSame(file))[1]))
        return present?.install(restart);
      // A virus scanner may hold the file.
      for (const file of downloaded) attempt(() => rmSync(file, { force: true }));
      if (restart) parts.app.relaunch();
    },
  };
};

type IsTrusted = (path: string) => Promise<boolean>;

type Opened = {
  readonly updater: AppUpdater;
  readonly executor: RouteExecutor;
  readonly install: (restart: boolean) => void;
};

const openUpdater = async ({ way, app }: Parts, isTrusted: IsTrusted): Promise<Opened> => {
  const { AppImageUpdater, MacUpdater, NsisUpdater } = (await import('electron-updater')).default;
  const executor = new RouteExecutor();
  const prepare = <T extends AppUpdater>(updater: T): T => {
    updater.logger = null;
    updater.autoDownload = false;
    updater.allowDowngrade = false;
    updater.disableWebInstaller = true;
    // Without a listener, an error would be thrown as uncaught. The call rejects with the error anyway.
    updater.on('error', () => {});
    return Object.assign(updater, { httpExecutor: executor });
  };
  if (way === 'mac') {
    const updater = prepare(new MacUpdater(undefined, app));
    // macOS installs the downloaded version when the app has quit, so only a restart has to be requested.
    return { updater, executor, install: (restart) => restart && updater.quitAndInstall() };
  }
  const installing = (updater: BaseUpdater): Opened => {
    updater.autoInstallOnAppQuit = false;
    return { updater, executor, install: (restart) => void updater.install(true, restart) };
  };
  if (way === 'appimage') return installing(prepare(new AppImageUpdater(null, app)));
  const updater = prepare(new NsisUpdater(null, app));
  updater.verifyUpdateCodeSignature = async (_, path) =>
    (await isTrusted(path)) ? null : 'not this version of the publisher';
  return installing(updater);
};

const requireTrusted = async (file: string, isTrusted: IsTrusted): Promise<void> => {
  if (await isTrusted(file)) return;
  await rm(file, { force: true });
  throw new DeskError('update/untrusted', 'the installer is not this version, signed by the publisher', {
    retry: 'later',
  });
};

/** Describes a version. Release notes of several texts are left out, because this app's releases have a single text. */
const newVersion = ({ version, releaseNotes }: UpdateInfo): NewVersion => ({
  version,
  ...(typeof releaseNotes === 'string' && { notes: releaseNotes }),
});

const codes: Readonly<Record<string, ErrorCode>> = {
  ERR_CHECKSUM_MISMATCH: 'update/damaged',
  ERR_UPDATER_INVALID_UPDATE_INFO: 'update/damaged',
  ERR_UPDATER_INVALID_VERSION: 'update/damaged',
  ERR_UPDATER_NO_CHECKSUM: 'update/damaged',
  ERR_UPDATER_NO_FILES_PROVIDED: 'update/damaged',
  ERR_UPDATER_INVALID_SIGNATURE: 'update/untrusted',
  ENOSPC: 'data/unwritable',
  EDQUOT: 'data/unwritable',
  EROFS: 'data/unwritable',
};

const translating = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (cause) {
    const code = codes[codeOf(cause) ?? ''];
    throw new DeskError(code ?? 'update/unreachable', 'no update', { retry: 'later', cause });
  }
};

// Requests use the app's own routes, so that proxies and trust apply. The size of everything that is read is limited.

const MOST_BLOCK_MAP_BYTES = 1024 * 1024;
/** The maximum size of a decompressed block map. For an installer of 150 MB, the block map takes about 300 kB. */
const MOST_BLOCK_MAP_TEXT = 8 * 1024 * 1024;

/** The maximum size of an installer. Without a limit, a server could fill the disk before the hash is checked. */
const MOST_INSTALLER_BYTES = 1024 * 1024 * 1024;

/** The timeout for reading a description or a block map completely, including redirects. */
const SMALL_FILE_TIMEOUT_MS = 60_000;

const MOST_REDIRECTS = 5;

/** Matches the headers by which electron-updater would identify users for a staged rollout, and name itself. */
const unsent = /^(x-user-staging-id|user-agent)$/i;

type Headers = RequestOptions['headers'] | null;

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

export class RouteExecutor extends HttpExecutor<RouteRequest> {
  #dispatcher: Dispatcher | undefined;
  #isLocal = false;

  /**
   * `address`: the address of the update server. If that server is on this computer, addresses on this computer may be
   * without TLS.
   */
  use(dispatcher: Dispatcher, address: string): void {
    this.#dispatcher = dispatcher;
    this.#isLocal = isLoopback(new URL(address));
  }

  /**
   * electron-updater reads the description of a version (its YAML file) with this method. Resolves to the used fields,
   * as JSON.
   */
  override request(options: RequestOptions, token = new CancellationToken()): Promise<string> {
    return cancellable(token, async (signal) => {
      const { body } = await this.#follow(urlOf(options), options.headers, briefly(signal));
      return readDescription((await readWhole(body, MOST_DESCRIPTION_BYTES)).toString('utf8'));
    });
  }

  /**
   * electron-updater reads block maps with this method, and would decompress a block map without a limit. So the size
   * is checked here.
   */
  override downloadToBuffer(url: URL, { headers, cancellationToken }: DownloadOptions): Promise<Buffer> {
    return cancellable(cancellationToken, async (signal) => {
      const { body } = await this.#follow(url, headers, briefly(signal));
      const packed = await readWhole(body, MOST_BLOCK_MAP_BYTES);
      await promisify(gunzip)(packed, { maxOutputLength: MOST_BLOCK_MAP_TEXT });
      return packed;
    });
  }

  /** electron-updater downloads a file to `destination` with this method. The hash is checked during the download. */
  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    const { headers, sha512, onProgress, cancellationToken } = options;
    return cancellable(cancellationToken, async (signal) => {
      const response = await this.#follow(url, headers, signal);
      const totalBytes = Number(response.headers['content-length']);
      const steps = [
        atMost(MOST_INSTALLER_BYTES),
        ...(onProgress && totalBytes > 0
          ? [new ProgressCallbackTransform(totalBytes, cancellationToken, onProgress)]
          : []),
        new DigestTransform(sha512 ?? ''),
      ];
      await pipeline([response.body, ...steps, createWriteStream(destination)], { signal });
      return destination;
    });
  }

  /**
   * With this method, electron-updater reads the parts of a new installer that the previous installer does not contain.
   */
  createRequest(options: RequestOptions, onResponse: (response: unknown) => void): RouteRequest {
    return new RouteRequest(async (signal) => {
      const { body, statusCode, headers } = await this.#send(urlOf(options), options.headers, signal);
      const part = atMost(lengthOfRange(options.headers));
      pipeline(body, part).catch(() => {});
      onResponse(Object.assign(part, { statusCode, statusMessage: '', headers }));
    });
  }

  /**
   * Follows redirects. Resolves to a response of status 200.
   * @throws HttpError for another status
   * @throws Error after too many redirects, or for an address without TLS; the errors of the route
   */
  async #follow(url: URL, headers: Headers | undefined, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let at = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const response = await this.#send(at, headers, signal);
      if (response.statusCode === 200) return response;
      // The body of a redirect or an error response is not needed. Destroying it may emit an error.
      response.body.on('error', () => {}).destroy();
      const { location } = response.headers;
      if (response.statusCode < 300 || response.statusCode >= 400 || typeof location !== 'string')
        throw new HttpError(response.statusCode);
      at = new URL(location, at);
    }
    throw new Error('too many redirects');
  }

  #send(url: URL, headers: Headers | undefined, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    if (!this.#dispatcher) throw new Error('there is no route yet');
    const isAllowed = url.protocol === 'https:' || (this.#isLocal && isLoopback(url));
    if (!isAllowed) throw new Error('a redirect leads to an address without TLS');
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

/** Limits the time for a file other than the installer. */
const briefly = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(SMALL_FILE_TIMEOUT_MS)]);

const urlOf = ({ protocol, hostname, port, path }: RequestOptions): URL =>
  new URL(path ?? '/', `${protocol}//${hostname}${port ? `:${port}` : ''}`);

const sent = (headers: Headers | undefined): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries({ 'cache-control': 'no-cache', ...headers }).flatMap(([name, value]) =>
      value === undefined || value === null || unsent.test(name) ? [] : [[name, String(value)]],
    ),
  ),
  ...USER_AGENT,
});

const readWhole = (body: Readable, maxBytes: number): Promise<Buffer> => pipeline(body, atMost(maxBytes), buffer);

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

/** The maximum size of a description. A real description takes a few hundred bytes, plus its release notes. */
const MOST_DESCRIPTION_BYTES = 1024 * 1024;

/**
 * The size of an embedded block map, which electron-updater inflates without a limit. A size that is not valid is
 * dropped; electron-updater then downloads the whole file.
 */
const BlockMapSize = z.int().min(1).max(262_144).optional().catch(undefined);

const File = z.object({
  url: z.string().max(4_096),
  sha512: z.string().max(200),
  size: z.int().min(0).optional(),
  blockMapSize: BlockMapSize,
  isAdminRightsRequired: z.boolean().optional(),
});

const Description = z.object({
  version: z.string().max(100),
  files: z.array(File).min(1).max(20),
  releaseDate: z.string().max(100).optional(),
  releaseNotes: z.string().max(50_000).optional().catch(undefined),
  stagingPercentage: z.number().optional(),
  minimumSystemVersion: z.string().max(100).optional(),
});

/**
 * Converts the description in `text` to JSON, which is also valid YAML. Anchors are refused: a description needs none,
 * and aliases would let a short text expand to any length. Errors: `ERR_UPDATER_INVALID_UPDATE_INFO`.
 */
const readDescription = async (text: string): Promise<string> => {
  const { CORE_SCHEMA, load } = await import('js-yaml');
  try {
    return JSON.stringify(Description.parse(load(text, { schema: CORE_SCHEMA, listener: refuseAnchors })));
  } catch (cause) {
    throw Object.assign(newError('the description of the version is not valid', 'ERR_UPDATER_INVALID_UPDATE_INFO'), {
      cause,
    });
  }
};

const refuseAnchors = (_: unknown, state: object): void => {
  if ('anchorMap' in state && Object.keys(Object(state.anchorMap)).length > 0) throw new Error('has an anchor');
};
