/** Calls `action` at most once per `intervalMs`, and always once more after the last request. */
export type Throttle = { readonly request: () => void; readonly flush: () => void; readonly cancel: () => void };

export const createThrottle = (action: () => void, intervalMs: number): Throttle => {
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const flush = (): void => {
    cancel();
    action();
  };
  return {
    request: () => {
      timer ??= setTimeout(flush, intervalMs).unref();
    },
    flush,
    cancel,
  };
};
