import type { Notice } from '../../../../contract/app.ts';
import type { SessionStatus } from '../../../../contract/connection.ts';
import { DeskError, fromErrorData } from '../../../../contract/errors.ts';
import type { Speech } from '../../../../words/speech.ts';
import type { Desk } from '../../../core/desk.ts';
import { EXIT, exitCodeOf } from '../../shared/exit-codes.ts';
import { describeError } from '../support/output.ts';
import { type CliContext, opener, withDesk } from '../support/with-desk.ts';

/** Signs in, and stores the present connection for later commands. */
export const login = (context: CliContext): Promise<number> =>
  withDesk(context, async (desk) => {
    const { session } = desk.connected();
    await session.signIn(context.signal, opener(context));
    desk.rememberConnection();
    return report(context, desk);
  });

/** Signs out, and clears the offline data if the settings require it. */
export const logout = (context: CliContext): Promise<number> =>
  withDesk(context, async (desk) => {
    await desk.handlers.session.signOut(undefined);
    return report(context, desk);
  });

/** Reports the status without signing in. A connection or sign-in that cannot be used is an error. */
export const status = (context: CliContext): Promise<number> =>
  withDesk(context, async (desk) => {
    const { connection, notices, session } = desk.snapshot();
    if (connection === undefined) assertNotBroken(desk, notices);
    report(context, desk);
    if (session.state !== 'signed-out' || !session.reason) return EXIT.done;
    context.output.say(describeError(fromErrorData(session.reason), context.output.speech));
    return exitCodeOf(session.reason.code);
  });

/**
 * Throws if the settings or the connection were unreadable, or the configured connection cannot be used. A missing
 * connection is not an error.
 */
const assertNotBroken = (desk: Desk, notices: readonly Notice[]): void => {
  const unreadable = notices.find(
    ({ code, details }) =>
      (code === 'settings/not-understood' && isConnection(details.fields)) ||
      (code === 'data/moved-aside' && isSettings(details.file)),
  );
  if (unreadable) throw fromErrorData(unreadable);
  try {
    desk.connected();
  } catch (error) {
    if (!(error instanceof DeskError) || error.code !== 'connection/missing') throw error;
  }
};

const isConnection = (fields: unknown): boolean =>
  String(fields)
    .split(', ')
    .some((field) => /^connection\b/.test(field));

const isSettings = (file: unknown): boolean => typeof file === 'string' && file.startsWith('settings.');

const report = ({ output }: CliContext, { snapshot }: Desk): number => {
  const { connection, session, offline, managed } = snapshot();
  const { state, skipped } = offline;
  output.result({ connection: connection ?? null, session, offline: { state, skipped }, managed }, () => {
    const { t } = output.speech;
    const place = connection ? t('cli.service', { address: connection.baseUrl }) : t('cli.noService');
    return [
      place,
      sessionWords(session, t),
      ...(skipped > 0 ? [t('cli.notOffline', { count: skipped })] : []),
      ...(managed.length > 0 ? [t('cli.managed', { keys: managed.join(', ') })] : []),
    ];
  });
  return EXIT.done;
};

const sessionWords = (session: SessionStatus, t: Speech<'host'>['t']): string => {
  if (session.state !== 'signed-in') return t('cli.signIn.out');
  return session.subject === undefined ? t('cli.signIn.in') : t('cli.signIn.inAs', { subject: session.subject });
};
