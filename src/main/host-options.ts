/** What a desktop or preview is started with: options of the command line, then the environment. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ConnectionLayer } from './settings/resolve-connection.ts';

export type HostOptions = {
  /** The data directory, absolute; absent: the host's usual place. */
  readonly home: string | undefined;
  readonly tokenStore: 'keychain' | 'memory';
  /** What the options say of the connection. */
  readonly connection: ConnectionLayer;
  /** Open on sample data when no connection is set up. */
  readonly sample: boolean;
  /** Port of the preview; absent: any free one. */
  readonly port: number | undefined;
};

/** The app's id, also its scheme; electron-builder.yml registers both in packages. */
export const appId = 'com.inspectiondesk.app';
export const callbackScheme = appId;
export const schemeRedirectUri = `${callbackScheme}:/oauth/callback`;

/** The callback address among `args`, as an operating system passes it to the program of its scheme. */
export const findCallback = (args: readonly string[]): string | undefined =>
  args.find((arg) => arg.startsWith(`${callbackScheme}:`));

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    strict: false,
    options: {
      home: { type: 'string' },
      'token-store': { type: 'string' },
      'base-url': { type: 'string' },
      'auth-url': { type: 'string' },
      'client-id': { type: 'string' },
      'redirect-uri': { type: 'string' },
      sample: { type: 'boolean' },
      port: { type: 'string' },
    },
  });

/**
 * Whether `args` (without the executable) ask for a command rather than for the window: `upload …`, `--help`. A line
 * with a callback address never does, for whoever made the link wrote it; nor does a path.
 */
export const isCommand = (args: readonly string[]): boolean => {
  if (findCallback(args) !== undefined) return false;
  const { values, positionals } = parse(args);
  return /^[a-z][a-z-]*$/.test(positionals[0] ?? '') || values.help === true || values.version === true;
};

/**
 * Reads `args` (without the executable). Options it does not know are the runtime's (`--no-sandbox`) and ignored. So
 * is everything from a callback address on: that part of a command line is written by whoever made the link.
 */
export const parseHostOptions = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): HostOptions => {
  const callback = findCallback(args);
  const { values } = parse(callback === undefined ? args : args.slice(0, args.indexOf(callback)));
  const text = (option: keyof typeof values, variable?: string): string | undefined => {
    const value = values[option] ?? (variable === undefined ? undefined : env[variable]);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const home = text('home', 'INSPECTION_DESK_HOME');
  const port = Number(text('port'));
  return {
    home: home === undefined ? undefined : resolve(home),
    tokenStore: text('token-store', 'INSPECTION_DESK_TOKEN_STORE') === 'memory' ? 'memory' : 'keychain',
    connection: {
      baseUrl: text('base-url'),
      authUrl: text('auth-url'),
      clientId: text('client-id'),
      redirectUri: text('redirect-uri'),
    },
    sample: values.sample === true,
    port: Number.isInteger(port) ? port : undefined,
  };
};
