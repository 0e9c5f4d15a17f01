/** Runs a command on a desk that is opened before and always closed afterwards. */
import { isConnectionRefusal } from '../../../../contract/connection.ts';
import { DeskError } from '../../../../contract/errors.ts';
import type { TimeBase } from '../../../../contract/resources.ts';
import { createDesk, type Desk } from '../../../core/desk.ts';
import type { DeskOptions } from '../../../core/desk-options.ts';
import { ignoredFields, policyLayer } from '../../../settings/policy/overlay.ts';
import { environmentLayer } from '../../../settings/resolve-connection.ts';
import { type CliSetting, createCliHost } from './cli-host.ts';
import { optionsLayer } from './cli-options.ts';
import { describeError } from './output.ts';

export type CliContext = CliSetting & {
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

/** Says which of the given options and variables do not count, because the organisation has set something else. */
const sayIgnored = ({ policy, options, env, output }: CliContext): void => {
  const ignored = ignoredFields(policyLayer(policy), [optionsLayer(options), environmentLayer(env)]);
  if (ignored.length > 0) output.say(output.speech.t('cli.ignored', { fields: ignored.join(', ') }));
};

/** How the service's times are read, by the settings. */
export const timeBaseOf = async ({ handlers }: Desk): Promise<TimeBase> =>
  (await handlers.app.snapshot(undefined)).preferences.timeBase;

/** Signs in if nobody is signed in. Errors: `connection/missing`, `auth/…`, `keychain/unavailable`. */
export const ensureSignedIn = async (desk: Desk, signal: AbortSignal): Promise<void> => {
  const { session } = desk.connected();
  if (session.status().state !== 'signed-in') await session.signIn(signal);
};
