/** The active receiver of one sign-in's redirect. */
type OpenRedirect = { readonly redirectUri: string; readonly close: () => Promise<void> };

/** How the authorization server's redirect reaches the app: a custom scheme, or a listener on 127.0.0.1. */
export type RedirectReceiver = {
  /** `accept` is called with every callback URL and returns whether it was the expected one. */
  readonly open: (accept: (callbackUrl: string) => boolean) => Promise<OpenRedirect>;
};
