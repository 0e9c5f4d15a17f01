/** Receives the sign-in's redirect through the app's own scheme. */
import { existsSync } from 'node:fs';
import { app } from 'electron';
import type { RedirectReceiver } from '../../auth/redirect.ts';
import { callbackScheme, type HostOptions, parseHostOptions, schemeRedirectUri } from '../shared/host-options.ts';
import { handlerArgs } from './start.ts';

/** The longest callback address that is accepted. Authorization codes have a few thousand characters at most. */
const MAX_CALLBACK_LENGTH = 8192;

export type SchemeRedirect = ReturnType<typeof createSchemeRedirect>;

/** Creates a receiver of redirects. Only the sign-in that was opened last receives a redirect. */
export const createSchemeRedirect = () => {
  let waiting: ((callbackUrl: string) => boolean) | undefined;
  return {
    receiver: (redirectUri: string = schemeRedirectUri): RedirectReceiver => ({
      open: async (accept) => {
        waiting = accept;
        const close = async () => {
          if (waiting === accept) waiting = undefined;
        };
        return { redirectUri, close };
      },
    }),
    deliver: (callbackUrl: string): void => {
      if (callbackUrl.length <= MAX_CALLBACK_LENGTH) waiting?.(callbackUrl);
    },
  };
};

/** The desktop file in which the deb package declares the scheme. An AppImage does not declare the scheme. */
const linuxHandler = '/usr/share/applications/inspection-desk-sign-in.desktop';

/**
 * Whether the operating system can pass addresses of the scheme to this app. All packages except the AppImage declare
 * the scheme. An unpackaged app can register it only on Windows, at run time.
 */
export const canReceiveScheme = ({ home }: Pick<HostOptions, 'home'>): boolean => {
  if (!app.isPackaged) return process.platform === 'win32';
  if (process.platform === 'darwin') return true;
  // Windows and Linux start a program for each address, which does not get the option `--home` of this app. So it would
  // pass the address to the app that uses another data directory.
  const isOfOption = home !== parseHostOptions([], process.env).home;
  return !isOfOption && (process.platform !== 'linux' || existsSync(linuxHandler));
};

/** Registers an unpackaged app for the scheme on Windows, where the registration overrides that of a package. */
export const registerScheme = (homeArgs: readonly string[]): void => {
  if (app.isPackaged || process.platform !== 'win32') return;
  app.setAsDefaultProtocolClient(callbackScheme, process.execPath, [...handlerArgs(app.getAppPath(), homeArgs)]);
};
