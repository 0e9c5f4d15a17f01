/** Reads the start options of the desktop app and the preview from the command line or the environment. */

import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { kebabCase } from 'es-toolkit/string/kebabCase';
import { attempt } from 'es-toolkit/util/attempt';
import { z } from 'zod';
import type { Speech } from '../../../words/speech.ts';
import { createLoopbackRedirect, type RedirectWords } from '../../auth/redirect.ts';
import type { Host } from '../../core/host.ts';
import { connectionFields, layerBy } from '../../settings/resolve-connection.ts';

/** The app's id, which is also its scheme. electron-builder.yml registers both in packages. */
export const appId = 'com.inspectiondesk.app';
export const callbackScheme = appId;
export const schemeRedirectUri = `${callbackScheme}:/oauth/callback`;

/** Whether `text` is an address of the app's scheme. The scheme's case is ignored (RFC 3986 section 3.1). */
export const isSchemeAddress = (text: string): boolean => text.toLowerCase().startsWith(`${callbackScheme}:`);

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: {
      home: { type: 'string' },
      'token-store': { type: 'string' },
      ...Object.fromEntries(connectionFields.map((field) => [kebabCase(field), { type: 'string' } as const])),
      sample: { type: 'boolean' },
      hidden: { type: 'boolean' },
      restarted: { type: 'boolean' },
      task: { type: 'string' },
      port: { type: 'string' },
    },
  });

/** A command line: the arguments that a user or a system wrote, and the link at their end, if there is one. */
type Line = { readonly own: readonly string[]; readonly link: string | undefined };

/**
 * Splits `args` at the first address of the app's scheme that is not the value of an option. The arguments after the
 * address are dropped, because the author of the link may have written them: quotes in a link can split it into several
 * arguments.
 */
const splitAtLink = (args: readonly string[]): Line => {
  const link = parse(args).tokens.find((token) => token.kind === 'positional' && isSchemeAddress(token.value));
  return link?.kind === 'positional'
    ? { own: args.slice(0, link.index), link: link.value }
    : { own: args, link: undefined };
};

const StartTask = z.enum(['new-upload', 'pause-uploads', 'resume-uploads']);
export type StartTask = z.infer<typeof StartTask>;

/**
 * Why the system starts the app. `callback`: an address of the app's scheme; `paths`: files that were dropped on the
 * app or opened with it.
 */
export const Start = z.object({
  callback: z.string().optional(),
  paths: z.array(z.string()).readonly().optional(),
  task: StartTask.optional(),
});
export type Start = z.infer<typeof Start>;

/**
 * Reads why the app starts. A callback address excludes everything else, because the author of the link may have
 * written the other arguments.
 */
export const readStart = (args: readonly string[]): Start => {
  const { own, link } = splitAtLink(args);
  if (link !== undefined) return { callback: link };
  const { positionals, values } = parse(own);
  return { paths: positionals.flatMap(pathIn), task: StartTask.safeParse(values.task).data };
};

/** The options that say why the app starts, rather than how it runs. */
const ofOneStart: ReadonlySet<string> = new Set(['task', 'hidden', 'restarted']);

/** Returns the arguments for a restart of the app, without the paths and options that say why it was started. */
export const restartArgs = (args: readonly string[], hidden: boolean): readonly string[] => {
  const options = parse(splitAtLink(args).own).tokens.flatMap((token) => {
    if (token.kind !== 'option' || ofOneStart.has(token.name)) return [];
    const { rawName, value, inlineValue } = token;
    if (value === undefined) return [rawName];
    return inlineValue ? [`${rawName}=${value}`] : [rawName, value];
  });
  return [...options, '--restarted', ...(hidden ? ['--hidden'] : [])];
};

/**
 * Returns `text` if it is an absolute path, or the path that it names if it is a `file:` address. Desktop entries on
 * Linux pass such addresses (`%U`). Returns an empty list for other text.
 */
const pathIn = (text: string): readonly string[] => {
  if (!/^file:/i.test(text)) return isAbsolute(text) ? [text] : [];
  const [, path] = attempt(() => fileURLToPath(text));
  return path === null || path.includes('\0') ? [] : [path];
};

/**
 * Whether `args` (without the executable) request a command rather than the window: their first word looks like a
 * command (`upload …`), or they contain `--help` or `--version`. False if they contain a callback address.
 */
export const isCommand = (args: readonly string[]): boolean => {
  if (splitAtLink(args).link !== undefined) return false;
  const { values, positionals } = parse(args);
  return /^[a-z][a-z-]*$/.test(positionals[0] ?? '') || values.help === true || values.version === true;
};

export type HostOptions = ReturnType<typeof parseHostOptions>;

/** Reads the options. Ignores unknown ones, such as `--no-sandbox`, and everything after a callback address. */
export const parseHostOptions = (args: readonly string[], env: Readonly<Record<string, string | undefined>>) => {
  const { values } = parse(splitAtLink(args).own);
  const text = (option: string, variable?: string): string | undefined => {
    const value = values[option] ?? (variable === undefined ? undefined : env[variable]);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const home = text('home', 'INSPECTION_DESK_HOME');
  const port = Number(text('port'));
  return {
    home: home === undefined ? undefined : resolve(home),
    tokenStore: text('token-store', 'INSPECTION_DESK_TOKEN_STORE') === 'memory' ? 'memory' : 'keychain',
    connection: layerBy((field) => text(kebabCase(field))),
    /** Whether to open with sample data if no connection is set up. */
    sample: values.sample === true,
    hidden: values.hidden === true,
    /** Whether the app has restarted itself after an error. */
    restarted: values.restarted === true,
    port: Number.isInteger(port) ? port : undefined,
  } as const;
};

/** Creates receivers of redirects on the loopback address. The desktop app also receives redirects of its scheme. */
export const loopbackRedirect =
  (speech: () => Speech<'host'>): Host['redirect'] =>
  (uri) =>
    createLoopbackRedirect({ redirectUri: uri?.startsWith('http:') ? uri : undefined, words: redirectWords(speech) });

/** Creates the texts of the page that the browser shows after a sign-in, in the app's language at that time. */
export const redirectWords =
  (speech: () => Speech<'host'>): RedirectWords =>
  (outcome) => {
    const { t, locale } = speech();
    return { locale, title: t(`page.${outcome}.title`), text: t(`page.${outcome}.text`) };
  };
