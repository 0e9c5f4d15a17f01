import type { TokenSet } from './tokens.ts';

/** Stores the token set of one connection between runs. */
export type Vault = {
  /** Checks that `save` can work before the browser opens. @throws DeskError `keychain/unavailable` */
  readonly prepare: () => Promise<void>;
  /**
   * The stored tokens, or undefined.
   * @throws DeskError `vault/unreadable` (damaged, or sealed with another key; moved aside, details `file`),
   *   `keychain/unavailable` (the file stays)
   */
  readonly load: () => Promise<TokenSet | undefined>;
  /** Replaces the stored tokens atomically. @throws DeskError `keychain/unavailable`, `data/unwritable` */
  readonly save: (tokens: TokenSet) => Promise<void>;
  /** @throws DeskError `data/unwritable` */
  readonly erase: () => Promise<void>;
};

/** Keeps the tokens in memory only (`--token-store memory`). */
export const createMemoryVault = (): Vault => {
  let stored: TokenSet | undefined;
  return {
    prepare: async () => {},
    load: async () => stored,
    save: async (tokens) => {
      stored = tokens;
    },
    erase: async () => {
      stored = undefined;
    },
  };
};
