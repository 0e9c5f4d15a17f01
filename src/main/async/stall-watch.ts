/** Notices that nothing moves: neither undici nor the file system ends a transfer whose other side fell silent. */
export type StallWatch = {
  /** Something moved: the present time begins anew. */
  readonly moved: () => void;
  /** From now on `ms` are allowed, and `onStall` is called after them. */
  readonly allow: (ms: number, onStall: () => void) => void;
  readonly end: () => void;
};

/** A watch that waits for nothing until `allow`. */
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
