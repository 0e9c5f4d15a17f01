/**
 * What a service turned out to need beyond the interface. The app first does what the interface says; where a service
 * refuses that, it tries the stricter way once and remembers what worked (docs/adr/0015-sign-in-needs.md).
 */
import { z } from 'zod';

export const SignInNeeds = z.object({
  /** `client_id` with each refresh (RFC 6749 section 3.2.1, for public clients). */
  clientIdOnRefresh: z.boolean().default(false),
  /** `prompt=consent` with the authorization request (OpenID Connect Core section 11), or there is no refresh token. */
  consentPrompt: z.boolean().default(false),
});
export type SignInNeeds = Readonly<z.infer<typeof SignInNeeds>>;

/** The needs of one connection. */
export type NeedsMemory = {
  readonly get: () => SignInNeeds;
  readonly learn: (need: keyof SignInNeeds) => void;
};

/** Starts with `known`; `keep` gets what is learned. */
export const createNeedsMemory = (
  known: Partial<SignInNeeds> = {},
  keep: (needs: SignInNeeds) => void = () => {},
): NeedsMemory => {
  let needs = SignInNeeds.parse(known);
  return {
    get: () => needs,
    learn: (need) => {
      needs = { ...needs, [need]: true };
      keep(needs);
    },
  };
};
