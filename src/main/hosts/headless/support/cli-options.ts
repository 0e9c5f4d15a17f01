/** The options that all commands share. */
import { resolve } from 'node:path';
import { makeHome } from '../../../data/data-directory.ts';
import { openDefaultHome } from '../../../data/leave-roaming.ts';
import type { ConnectionLayer } from '../../../settings/resolve-connection.ts';

/** As commander gives them. */
export type CommonOptions = {
  readonly home?: string;
  readonly baseUrl?: string;
  readonly authUrl?: string;
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly scope?: string;
  readonly tokenStore?: 'keychain' | 'memory';
  /** False with --no-browser. */
  readonly browser: boolean;
  readonly json?: boolean;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** The data directory: --home, INSPECTION_DESK_HOME, or the desktop app's. Errors: as `openDefaultHome`. */
export const homeOf = ({ home }: CommonOptions, env: Environment): string =>
  resolve(home || env.INSPECTION_DESK_HOME || openDefaultHome(env));

/** `homeOf`, created if missing. */
export const openHome = (options: CommonOptions, env: Environment): string => {
  const path = homeOf(options, env);
  makeHome(path);
  return path;
};

/** What the options say of the connection. */
export const optionsLayer = ({ baseUrl, authUrl, clientId, redirectUri, scope }: CommonOptions): ConnectionLayer => ({
  baseUrl,
  authUrl,
  clientId,
  redirectUri,
  scope,
});
