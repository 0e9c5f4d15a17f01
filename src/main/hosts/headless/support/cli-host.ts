/** The desk's host in a terminal. */
import manifest from '../../../../../package.json' with { type: 'json' };
import { DeskError } from '../../../../contract/errors.ts';
import { languageOf } from '../../../../words/speech/languages.ts';
import { createKeytarKeychain } from '../../../auth/keytar-keychain.ts';
import { createLoopbackRedirect } from '../../../auth/loopback-redirect.ts';
import { openConfSettings } from '../../../settings/conf-settings.ts';
import type { Policy } from '../../../settings/policy/policy.ts';
import { environmentLayer } from '../../../settings/resolve-connection.ts';
import type { Host } from '../../host.ts';
import { redirectWords } from '../../shared/redirect-words.ts';
import { type CommonOptions, type Environment, openHome, optionsLayer } from './cli-options.ts';
import type { Output } from './output.ts';

export const { version } = manifest;

/** What the program brings that the command line is a part of: Node on the sources, or the installed app. */
export type CliParts = Partial<Pick<Host, 'printPdf' | 'resolveProxy'>> &
  Pick<Host, 'uploadWorker' | 'hashThread' | 'readThread' | 'draftWorker' | 'searchWorker' | 'startSample'> & {
    /** Opens a web address in the system browser. */
    readonly browse: (url: string) => Promise<unknown>;
  };

/** What a command needs to run. */
export type CliSetting = {
  readonly options: CommonOptions;
  readonly env: Environment;
  readonly output: Output;
  readonly parts: CliParts;
  readonly policy: Policy;
};

/** The terminal as a host, its data directory made. Errors: `data/unwritable`. */
export const createCliHost = ({ options, env, output, parts, policy }: CliSetting): Host => {
  const { browse, ...rest } = parts;
  const store = options.tokenStore ?? env.INSPECTION_DESK_TOKEN_STORE ?? 'keychain';
  return {
    home: openHome(options, env),
    version,
    systemLanguage: languageOf([output.speech.locale]),
    ...(store === 'keychain' && { keychain: createKeytarKeychain() }),
    openSettings: openConfSettings,
    policy,
    environment: env,
    connectionLayers: [optionsLayer(options), environmentLayer(env)],
    // Only the desktop app receives the custom scheme; here a listener of this process receives the redirect.
    redirect: (uri) =>
      createLoopbackRedirect({
        redirectUri: uri?.startsWith('http:') ? uri : undefined,
        words: redirectWords(() => output.speech),
      }),
    openExternal: (url) => (options.browser ? openBrowser(url, output, browse) : askToOpen(url, output)),
    pickFolder: async () => undefined,
    notify: () => {},
    keepAwake: () => () => {},
    ...rest,
  };
};

const askToOpen = async (url: string, output: Output): Promise<void> => {
  if (output.json) output.event({ type: 'authorize', url });
  else {
    output.say(output.speech.t('cli.signIn.openAddress'));
    output.say(url);
  }
};

const openBrowser = async (url: string, output: Output, browse: CliParts['browse']): Promise<void> => {
  output.say(output.speech.t('cli.signIn.inBrowser'));
  try {
    await browse(url);
  } catch (cause) {
    throw new DeskError('auth/browser', 'the browser cannot be opened', { cause });
  }
};
