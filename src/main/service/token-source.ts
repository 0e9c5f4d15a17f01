/** The access token, for code that only sends it. */
export type TokenSource = {
  /**
   * An access token to send. `stale`: a token that the service has just refused; another one is returned. `former`: the
   * token of an earlier try; the returned one belongs to the same user, as far as tokens tell.
   * @throws DeskError as `Session.accessToken` in `auth/` does
   */
  readonly accessToken: (options?: {
    readonly stale?: string;
    readonly former?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<string>;
};
