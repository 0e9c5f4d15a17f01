/** The operating system's secret store, as keytar offers it. Every function rejects where there is none. */
export type Keychain = {
  readonly get: (account: string) => Promise<string | null>;
  readonly set: (account: string, secret: string) => Promise<void>;
  readonly delete: (account: string) => Promise<void>;
};
