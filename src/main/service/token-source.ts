/** The access token, as those see it who only send it. */
export type TokenSource = {
  /**
   * An access token to send. `stale`: one that the service has just refused; the answer is another one. `former`: the
   * token of an earlier try; the answer belongs to the same user, as far as tokens tell.
   * @throws DeskError as `Session.accessToken` in `auth/` does
   */
  readonly accessToken: (options?: {
    readonly stale?: string;
    readonly former?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<string>;
};
