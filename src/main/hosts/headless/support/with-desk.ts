/** Runs a command on the desk that this process has open, or on a desk that is opened for the command. */
import manifest from '../../../../../package.json' with { type: 'json' };
import { isConnectionRefusal } from '../../../../contract/connection.ts';
import { DeskError } from '../../../../contract/errors.ts';
import { AssignmentId } from '../../../../contract/resources.ts';
import { languageOf } from '../../../../words/languages.ts';
import { cancellation, orCancelled } from '../../../async/cancel.ts';
import { createKeytarKeychain } from '../../../auth/keychain.ts';
import type { DeskOptions } from '../../../core/desk.ts';
import { createDesk, type Desk } from '../../../core/desk.ts';
import type { Host } from '../../../core/host.ts';
import { openConfSettings } from '../../../settings/conf-settings.ts';
import { ignoredFields, policyLayer } from '../../../settings/policy/overlay.ts';
import type { Policy } from '../../../settings/policy/policy.ts';
import { type ConnectionLayer, connectionIdOf, resolveConnection } from '../../../settings/resolve-connection.ts';
import type { CommandIo, CommandServer } from '../../shared/command-channel.ts';
import { loopbackRedirect } from '../../shared/host-options.ts';
import { type CommonOptions, connectionLayers, type Environment, openHome } from './options.ts';
import { describeError, type FileLines, type Output } from './output.ts';

/** Aborting `interrupt` or `left` also aborts `CliContext.signal`. */
export type RunningDesk = Pick<CommandIo, 'interrupt' | 'left'> & {
  readonly desk: Desk;
  readonly tokenStore: 'keychain' | 'memory';
};

export type CliContext = {
  readonly options: CommonOptions;
  readonly cwd: string;
  readonly env: Environment;
  readonly output: Output;
  readonly files: FileLines;
  readonly parts: CliParts;
  readonly policy: Policy;
  /** The name of the time zone of the process that requested the command. Absent: this process runs its own command. */
  readonly timeZone?: string;
  readonly signal: AbortSignal;
  /** Called when work that cannot be stopped hangs. The process then cannot exit on its own. */
  readonly onHang: () => void;
  /** The open desk in which the command runs. Absent: the command opens its own desk. */
  readonly running?: RunningDesk | undefined;
  /** Lets commands of other processes run in the command's own desk. Absent: those commands fail with `data/in-use`. */
  readonly serve?: ((desk: Desk, context: CliContext) => Promise<CommandServer>) | undefined;
};

/** How long a command waits for an unreachable host, so that a script gets an error and does not wait for hours. */
export const NETWORK_PATIENCE_MS = 5 * 60_000;

/**
 * `serves`: whether commands of other processes run in this command's desk, because this command may take a long time.
 */
type WorkOptions = DeskOptions & { readonly serves?: boolean };

/**
 * Runs `work` on the desk that is already open in this process, otherwise on a new desk. Unless `resumeUploads` is set,
 * a new desk neither resumes uploads nor watches folders. Returns the exit code.
 */
export const withDesk = async (
  context: CliContext,
  work: (desk: Desk) => Promise<number>,
  { serves = false, ...deskOptions }: WorkOptions = {},
): Promise<number> => {
  if (context.running) return inRunningDesk(context, context.running, work, deskOptions);
  const desk = await createDesk(createCliHost(context), {
    networkPatienceMs: NETWORK_PATIENCE_MS,
    resumeUploads: false,
    ...deskOptions,
  });
  let server: CommandServer | undefined;
  try {
    server = serves ? await context.serve?.(desk, context) : undefined;
    const exitCode = await onDesk(context, desk, work);
    if (!context.signal.aborted)
      await orCancelled(server?.settle() ?? Promise.resolve(), context.signal).catch(() => {});
    return exitCode;
  } finally {
    await server?.close();
    await desk.close();
    if (desk.hangs()) context.onHang();
  }
};

/**
 * Runs `work` on the running desk, which keeps its session, its concurrency and its timeouts for unreachable hosts.
 * Rejects with `data/in-use` if `work` needs `resumeUploads` and the desk does not have it.
 */
const inRunningDesk = async (
  context: CliContext,
  running: RunningDesk,
  work: (desk: Desk) => Promise<number>,
  { onFile, concurrency, bytesPerSecond, leaveRoom, resumeUploads = false }: DeskOptions,
): Promise<number> => {
  const { output } = context;
  assertSameUse(context, running);
  if (resumeUploads && !running.desk.resumesUploads) {
    output.say(output.speech.t('cli.running.noWatch'));
    throw new DeskError('data/in-use', 'the running command watches no folders');
  }
  if (concurrency !== undefined) output.say(output.speech.t('cli.running.ignored', { option: '--concurrency' }));
  const { desk } = running;
  const undo = [
    ...(onFile ? [desk.watchFiles(onFile)] : []),
    ...(bytesPerSecond === undefined && leaveRoom === undefined ? [] : [desk.slowDown({ bytesPerSecond, leaveRoom })]),
  ];
  try {
    return await onDesk(context, desk, work);
  } finally {
    for (const one of undo) one();
  }
};

/** Throws `data/in-use` if the command requests another service, token store or time zone than the running desk has. */
const assertSameUse = (context: CliContext, { desk, tokenStore }: RunningDesk): void => {
  const { options, env, policy, output, timeZone } = context;
  const { connection } = desk.snapshot();
  const given = connectionLayers(context);
  const store = options.tokenStore ?? env.INSPECTION_DESK_TOKEN_STORE;
  const isGiven = given.some(({ baseUrl, authUrl, clientId }) => baseUrl || authUrl || clientId);
  const idOf = (layers: readonly ConnectionLayer[]) => connectionIdOf(resolveConnection(layers).connection);
  const isOther = isGiven && (!connection || idOf([policyLayer(policy), ...given, connection]) !== idOf([connection]));
  const differing = [
    ...(isOther ? ['--base-url, --auth-url, --client-id'] : []),
    ...(store !== undefined && store !== tokenStore ? ['--token-store'] : []),
    ...(timeZone !== undefined && timeZone !== ownTimeZone() ? ['TZ'] : []),
  ];
  if (differing.length === 0) return;
  output.say(output.speech.t('cli.running.differs', { options: differing.join(', ') }));
  throw new DeskError('data/in-use', 'the running app has other values', {
    details: { differing: differing.join(', ') },
  });
};

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const onDesk = async (context: CliContext, desk: Desk, work: (desk: Desk) => Promise<number>): Promise<number> => {
  const { output, signal } = context;
  try {
    for (const notice of desk.snapshot().notices) {
      if (!isConnectionRefusal(notice.code))
        output.say(describeError(new DeskError(notice.code, notice.message, notice), output.speech));
    }
    sayIgnored(context);
    return await work(desk);
  } catch (error) {
    if (!(error instanceof DeskError)) desk.log.write('bug', { error });
    throw signal.aborted ? cancellation(signal) : error;
  }
};

/** Tells the user which options and environment variables are ignored, because the organisation's policy sets them. */
const sayIgnored = (context: CliContext): void => {
  const { output, policy } = context;
  const ignored = ignoredFields(policyLayer(policy), connectionLayers(context));
  if (ignored.length > 0) output.say(output.speech.t('cli.ignored', { fields: ignored.join(', ') }));
};

/** Signs in unless a session exists. Errors: those of `Desk.connected` and of `Session.ensureSignedIn`. */
export const ensureSignedIn = async (desk: Desk, context: CliContext): Promise<void> => {
  const { session } = desk.connected();
  if (session.status().state === 'waiting') context.output.say(context.output.speech.t('cli.signIn.waiting'));
  await session.ensureSignedIn(context.signal, opener(context));
};

export const opener =
  ({ options, output, parts }: Pick<CliContext, 'options' | 'output' | 'parts'>): Host['openExternal'] =>
  (url) =>
    options.browser ? openBrowser(url, output, parts.browse) : askToOpen(url, output);

export const { version } = manifest;

/** The parts of the host that differ between the sources, run by Node, and the installed app. */
export type CliParts = Partial<Pick<Host, 'printPdf' | 'resolveProxy'>> &
  Pick<Host, 'uploadWorker' | 'readWorker' | 'draftWorker' | 'searchWorker' | 'startSample'> & {
    readonly browse: (url: string) => Promise<unknown>;
  };

/** Creates the host of a desk, and its data directory if that is missing. Errors: `data/unwritable`. */
export const createCliHost = (
  context: Pick<CliContext, 'options' | 'cwd' | 'env' | 'output' | 'parts' | 'policy'>,
): Host => {
  const { env, output, parts, policy } = context;
  const { browse: _, ...rest } = parts;
  return {
    home: openHome(context),
    version,
    systemLanguage: languageOf([output.speech.locale]),
    ...(tokenStoreOf(context) === 'keychain' && { keychain: createKeytarKeychain() }),
    openSettings: openConfSettings,
    policy,
    environment: env,
    connectionLayers: connectionLayers(context),
    redirect: loopbackRedirect(() => output.speech),
    openExternal: opener(context),
    ...rest,
  };
};

export const tokenStoreOf = ({ options, env }: Pick<CliContext, 'options' | 'env'>): RunningDesk['tokenStore'] =>
  (options.tokenStore ?? env.INSPECTION_DESK_TOKEN_STORE ?? 'keychain') === 'keychain' ? 'keychain' : 'memory';

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

/**
 * Returns the AssignmentId `typed` in the spelling of the service or of earlier uploads. Throws `input/invalid` if it
 * is not a UUID.
 */
export const assignmentIdOf = (desk: Pick<Desk, 'assignmentIdOf'>, typed: string): string => {
  assertAssignmentId(typed);
  return desk.assignmentIdOf(typed);
};

export const assertAssignmentId = (id: string): void => {
  if (AssignmentId.safeParse(id).success) return;
  throw new DeskError('input/invalid', 'the assignment id is not a uuid', { details: { field: 'AssignmentId' } });
};
