/** The access token, as those see it who only send it. */
export type TokenSource = {
  /**
   * An access token to send. `stale` is one that the service has just refused: the answer is another one. `former` is
   * one that an earlier try was made with: the answer is of the same user, as far as tokens tell.
   * @throws DeskError `auth/required` (nobody is signed in, or another user), `auth/expired` (the service ended the
   *   session), `auth/refresh-refused`, `auth/token-…`, `service/…` (no refresh for now; the session stands), `app/cancelled`.
   */
  readonly accessToken: (options?: {
    readonly stale?: string;
    readonly former?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<string>;
};
