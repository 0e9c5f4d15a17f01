/** Runs a command on a desk that is opened first and always closed afterwards. */
import manifest from '../../../../../package.json' with { type: 'json' };
import { isConnectionRefusal } from '../../../../contract/connection.ts';
import { DeskError } from '../../../../contract/errors.ts';
import { AssignmentId, type TimeBase } from '../../../../contract/resources.ts';
import { languageOf } from '../../../../words/languages.ts';
import { createKeytarKeychain } from '../../../auth/keychain.ts';
import { createLoopbackRedirect } from '../../../auth/redirect.ts';
import type { DeskOptions } from '../../../core/desk.ts';
import { createDesk, type Desk } from '../../../core/desk.ts';
import type { Host } from '../../../core/host.ts';
import { openConfSettings } from '../../../settings/conf-settings.ts';
import { ignoredFields, policyLayer } from '../../../settings/policy/overlay.ts';
import type { Policy } from '../../../settings/policy/policy.ts';
import { environmentLayer } from '../../../settings/resolve-connection.ts';
import { redirectWords } from '../../shared/host-options.ts';
import { type CommonOptions, type Environment, openHome, optionsLayer } from './options.ts';
import { describeError, type Output } from './output.ts';

/** The input of a command. */
export type CliContext = {
  readonly options: CommonOptions;
  readonly env: Environment;
  readonly output: Output;
  readonly parts: CliParts;
  readonly policy: Policy;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Called after everything is closed if the process cannot exit on its own. */
  readonly onHang: () => void;
};

/** A script gets an error if a host stays unreachable, instead of waiting for hours. */
const NETWORK_PATIENCE_MS = 5 * 60_000;

/** Runs `work` on a desk that does not resume uploads, or watch folders, unless told to; returns its exit code. */
export const withDesk = async (
  context: CliContext,
  work: (desk: Desk) => Promise<number>,
  deskOptions: DeskOptions = {},
): Promise<number> => {
  const { output, signal } = context;
  const desk = await createDesk(createCliHost(context), {
    networkPatienceMs: NETWORK_PATIENCE_MS,
    resumeUploads: false,
    ...deskOptions,
  });
  try {
    const { notices } = await desk.handlers.app.snapshot(undefined);
    for (const notice of notices) {
      if (!isConnectionRefusal(notice.code))
        output.say(describeError(new DeskError(notice.code, notice.message, notice), output.speech));
    }
    sayIgnored(context);
    return await work(desk);
  } catch (error) {
    if (!(error instanceof DeskError)) desk.log.write('bug', { error });
    throw signal.aborted ? new DeskError('app/cancelled', 'stopped') : error;
  } finally {
    await desk.close();
    if (desk.hangs()) context.onHang();
  }
};

/** Lists the given options and variables that are ignored because the organisation's policy overrides them. */
const sayIgnored = ({ policy, options, env, output }: CliContext): void => {
  const ignored = ignoredFields(policyLayer(policy), [optionsLayer(options), environmentLayer(env)]);
  if (ignored.length > 0) output.say(output.speech.t('cli.ignored', { fields: ignored.join(', ') }));
};

/** How the service's times are read, by the settings. */
export const timeBaseOf = async ({ handlers }: Desk): Promise<TimeBase> =>
  (await handlers.app.snapshot(undefined)).preferences.timeBase;

/** Signs in unless a session exists. Errors: `connection/missing`, `auth/…`, `keychain/unavailable`. */
export const ensureSignedIn = async (desk: Desk, signal: AbortSignal): Promise<void> => {
  const { session } = desk.connected();
  if (session.status().state !== 'signed-in') await session.signIn(signal);
};

// The desk's host in a terminal.

export const { version } = manifest;

/** Parts that differ between the programs which contain the command line: Node on the sources, or the installed app. */
export type CliParts = Partial<Pick<Host, 'printPdf' | 'resolveProxy'>> &
  Pick<Host, 'uploadWorker' | 'hashThread' | 'readThread' | 'draftWorker' | 'searchWorker' | 'startSample'> & {
    /** Opens a web address in the system browser. */
    readonly browse: (url: string) => Promise<unknown>;
  };

/** Creates the host of the terminal, and its data directory. Errors: `data/unwritable`. */
export const createCliHost = ({ options, env, output, parts, policy }: Omit<CliContext, 'signal' | 'onHang'>): Host => {
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

/** Rejects an AssignmentId that is not a uuid before any request. Errors: `input/invalid`. */
export const assertAssignmentId = (id: string): void => {
  if (AssignmentId.safeParse(id).success) return;
  throw new DeskError('input/invalid', 'the assignment id is not a uuid', { details: { field: 'AssignmentId' } });
};
