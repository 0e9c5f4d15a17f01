/**
 * What a service needs beyond the interface. The app first does what the interface says. If the service refuses that, the
 * app tries the stricter way once and remembers what worked (docs/adr/0015-sign-in-needs.md).
 */

type SignInNeeds = {
  /** `client_id` with each refresh (RFC 6749 section 3.2.1, for public clients). */
  readonly clientIdOnRefresh: boolean;
  /** `prompt=consent` with the authorization request (OpenID Connect Core section 11), or there is no refresh token. */
  readonly consentPrompt: boolean;
};

/** The needs of one connection. */
export type NeedsMemory = {
  readonly get: () => SignInNeeds;
  readonly learn: (need: keyof SignInNeeds) => void;
};

/** Starts with `known`; `keep` is called with what was learned. */
export const createNeedsMemory = (
  known: Partial<SignInNeeds> = {},
  keep: (needs: SignInNeeds) => void = () => {},
): NeedsMemory => {
  let needs: SignInNeeds = { clientIdOnRefresh: false, consentPrompt: false, ...known };
  return {
    get: () => needs,
    learn: (need) => {
      needs = { ...needs, [need]: true };
      keep(needs);
    },
  };
};
