/** Replaces `node:timers/promises` with virtual time. */
type Options = { readonly signal?: AbortSignal };

const waiting =
  (start: (run: () => void) => { readonly close: () => unknown }) =>
  <T>(value: T, { signal }: Options = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      const abort = (): void => {
        timer.close();
        reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }));
      };
      const timer = start(() => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      });
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });

export const setTimeout = <T = void>(ms: number, value?: T, options?: Options): Promise<T> =>
  waiting((run) => globalThis.setTimeout(run, ms) as never)(value as T, options);
export const setImmediate = <T = void>(value?: T, options?: Options): Promise<T> =>
  waiting((run) => globalThis.setImmediate(run) as never)(value as T, options);
