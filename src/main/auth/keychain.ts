/** The operating system's secret store, with keytar's functions. Every function rejects if there is none. */
export type Keychain = {
  readonly get: (account: string) => Promise<string | null>;
  readonly set: (account: string, secret: string) => Promise<void>;
  readonly delete: (account: string) => Promise<void>;
};
