/** Detects stalls: neither undici nor the file system ends a transfer whose other side stops responding. */
type StallWatch = {
  /** Something moved: restarts the current period. */
  readonly moved: () => void;
  /** Starts a period of `ms`, after which `onStall` is called. */
  readonly allow: (ms: number, onStall: () => void) => void;
  readonly end: () => void;
};

/** A watch without a period; `allow` starts one. */
export const createStallWatch = (): StallWatch => {
  let timer: NodeJS.Timeout | undefined;
  return {
    moved: () => {
      timer?.refresh();
    },
    allow: (ms, onStall) => {
      clearTimeout(timer);
      timer = setTimeout(onStall, ms);
    },
    end: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};
