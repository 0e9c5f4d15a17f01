/** Tokens as the app holds them, and as those see them who only need one. */
import { z } from 'zod';

/**
 * What the token endpoint gave. `expiresAt` and `refreshAt` (when to get the next one ahead of that): ms since 1970.
 * Neither is trusted for correctness: a service that answers 401 has the last word.
 */
export const TokenSet = z.object({
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1),
  expiresAt: z.number(),
  refreshAt: z.number(),
});
export type TokenSet = Readonly<z.infer<typeof TokenSet>>;

export type TokenSource = {
  /**
   * An access token to send. `stale` is one that the service has just refused: the answer is another one.
   * @throws DeskError `auth/required` (nobody is signed in), `auth/expired` (the service ended the session),
   *   `service/…` (no refresh for now; the session stands), `app/cancelled`.
   */
  readonly accessToken: (options?: {
    readonly stale?: string;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<string>;
};
