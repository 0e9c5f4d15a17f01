import { reporting } from './reporting.ts';

/** Limits how often an action runs, however often it is requested. */
type Throttle = {
  /** Requests the action: it runs within the interval. */
  readonly request: () => void;
  /** Runs the action one last time, at once. Throws what it throws. */
  readonly end: () => void;
};

/** Runs `action` at most once in `intervalMs`, at the end of it. `onError` receives what it throws then. */
export const createThrottle = (action: () => void, intervalMs: number, onError: (error: unknown) => void): Throttle => {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const act = (): void => {
    clearTimeout(timer);
    timer = undefined;
    action();
  };
  return {
    request: () => {
      if (!ended) timer ??= setTimeout(reporting(act, onError), intervalMs).unref();
    },
    end: () => {
      ended = true;
      act();
    },
  };
};
