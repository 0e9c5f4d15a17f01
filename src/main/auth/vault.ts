import type { TokenSet } from './tokens.ts';

/** Where the token set of one connection is kept between runs. */
export type Vault = {
  /** Makes sure that `save` can work, before a person is sent to a browser. @throws DeskError `keychain/unavailable` */
  readonly prepare: () => Promise<void>;
  /**
   * The stored tokens, or nothing.
   * @throws DeskError `vault/unreadable` (damaged, or sealed with another key; moved aside, details `file`),
   *   `keychain/unavailable` (the file stays)
   */
  readonly load: () => Promise<TokenSet | undefined>;
  /** Replaces the stored tokens at once or not at all. @throws DeskError `keychain/unavailable`, `data/unwritable` */
  readonly save: (tokens: TokenSet) => Promise<void>;
  /** @throws DeskError `data/unwritable` */
  readonly erase: () => Promise<void>;
};

/** Forgets with the process (`--token-store memory`). */
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
