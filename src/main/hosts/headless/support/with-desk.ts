/** Running a command on a desk: opened before, closed after, whatever happens between. */
import { DeskError } from '../../../../contract/errors.ts';
import type { TimeBase } from '../../../../contract/service-time.ts';
import { createDesk, type Desk, type DeskOptions } from '../../../core/desk.ts';
import { type CliSetting, createCliHost } from './cli-host.ts';
import { describeError } from './output.ts';

export type CliContext = CliSetting & {
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Told, once everything is closed, that the process cannot end by itself. */
  readonly onHang: () => void;
};

/** A script is told that a host cannot be reached rather than kept waiting for the night to pass. */
const NETWORK_PATIENCE_MS = 5 * 60_000;

/** Runs `work` on a desk that resumes nothing by itself; answers its exit code. */
export const withDesk = async (
  context: CliContext,
  work: (desk: Desk) => Promise<number>,
  deskOptions: Omit<DeskOptions, 'resumeUploads'> = {},
): Promise<number> => {
  const { output, signal } = context;
  const desk = await createDesk(createCliHost(context), {
    networkPatienceMs: NETWORK_PATIENCE_MS,
    ...deskOptions,
    resumeUploads: false,
  });
  try {
    const { notices } = await desk.handlers.app.snapshot(undefined);
    for (const notice of notices) {
      if (!notice.code.startsWith('connection/'))
        output.say(describeError(new DeskError(notice.code, notice.message, notice), output.speech));
    }
    return await work(desk);
  } catch (error) {
    if (!(error instanceof DeskError)) desk.log.error('bug', { error });
    throw signal.aborted ? new DeskError('app/cancelled', 'stopped') : error;
  } finally {
    await desk.close();
    if (desk.hangs()) context.onHang();
  }
};

/** How the settings say that the service's times are read. */
export const timeBaseOf = async ({ handlers }: Desk): Promise<TimeBase> =>
  (await handlers.app.snapshot(undefined)).preferences.timeBase;

/** Signs in where nobody is. Errors: `connection/missing`, `auth/…`, `keychain/unavailable`. */
export const ensureSignedIn = async (desk: Desk, signal: AbortSignal): Promise<void> => {
  const { session } = desk.connected();
  if (session.status().state !== 'signed-in') await session.signIn(signal);
};
