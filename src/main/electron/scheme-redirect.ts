/** Receives the sign-in's redirect through the app's own scheme. */
import { app } from 'electron';
import type { RedirectReceiver } from '../host.ts';
import { callbackScheme, schemeRedirectUri } from '../host-options.ts';

export type SchemeRedirect = {
  /** The receiver for `redirectUri`, an address of the app's scheme. */
  readonly receiver: (redirectUri?: string) => RedirectReceiver;
  /** Takes a callback address from the operating system; one that nobody waits for is dropped. */
  readonly deliver: (callbackUrl: string) => void;
};

/** A receiver with room for one sign-in, the latest. */
export const createSchemeRedirect = (): SchemeRedirect => {
  let waiting: ((callbackUrl: string) => boolean) | undefined;
  return {
    receiver: (redirectUri = schemeRedirectUri) => ({
      open: async (accept) => {
        waiting = accept;
        const close = async () => {
          if (waiting === accept) waiting = undefined;
        };
        return { redirectUri, close };
      },
    }),
    deliver: (callbackUrl) => void waiting?.(callbackUrl),
  };
};

/**
 * Whether the operating system can be made to bring the scheme here: packages declare it; unpackaged only Windows
 * takes a registration at run time.
 */
export const canReceiveScheme = (): boolean => app.isPackaged || process.platform === 'win32';

/** Registers this program for the scheme, where that works. `homeArgs` make an unpackaged one open the same data directory. */
export const registerScheme = (homeArgs: readonly string[]): void => {
  if (!canReceiveScheme()) return;
  if (app.isPackaged) app.setAsDefaultProtocolClient(callbackScheme);
  else app.setAsDefaultProtocolClient(callbackScheme, process.execPath, [app.getAppPath(), ...homeArgs]);
};
