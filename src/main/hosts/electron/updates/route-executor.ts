/** How electron-updater reaches the update server: over the app's own routes, so that proxies and trust are the same. */
import { EventEmitter } from 'node:events';
import type { RequestOptions } from 'node:http';
import { configureRequestOptions, configureRequestUrl, type DownloadOptions, HttpExecutor } from 'builder-util-runtime';
import type { Dispatcher } from 'undici';
import { isLoopback } from '../../../../contract/service-address.ts';

/** electron-updater counts with these how many of its users get a version. Nobody is counted here. */
const unsent = /^x-user-staging-id$/i;

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

const headersOf = ({ headers = {} }: RequestOptions): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || value === null || unsent.test(name) ? [] : [[name, String(value)]],
    ),
  );

/** The requests of electron-updater over the dispatcher of `using`. It follows redirects itself. */
export class RouteExecutor extends HttpExecutor<RouteRequest> {
  #dispatcher: Dispatcher | undefined;

  /** Every request from now on goes over `dispatcher`. */
  use(dispatcher: Dispatcher): void {
    this.#dispatcher = dispatcher;
  }

  createRequest(options: RequestOptions, onResponse: (response: unknown) => void): RouteRequest {
    const { protocol, hostname, port, path } = options;
    return new RouteRequest(async (signal) => {
      if (!this.#dispatcher) throw new Error('there is no route yet');
      const url = new URL(path ?? '/', `${protocol}//${hostname}${port ? `:${port}` : ''}`);
      if (url.protocol !== 'https:' && !isLoopback(url)) throw new Error('a redirect leads to an address without TLS');
      const answer = await this.#dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: headersOf(options),
        signal,
      });
      const { statusCode, headers } = answer;
      // What a redirect says beside its address is not read by anybody.
      if (statusCode >= 300 && statusCode < 400) await answer.body.dump();
      onResponse(Object.assign(answer.body, { statusCode, statusMessage: '', headers }));
    });
  }

  /** Called by the updaters with the file to write; its hash is checked while it comes. */
  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise<string>((resolve, reject, onCancel) => {
      const request: RequestOptions = { headers: options.headers ?? {} };
      configureRequestUrl(url, request);
      configureRequestOptions(request);
      const callback = (error: Error | null): void => (error ? reject(error) : resolve(destination));
      this.doDownload(request, { destination, options, onCancel, callback, responseHandler: null }, 0);
    });
  }
}
