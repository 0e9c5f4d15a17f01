/** login, logout, status. */
import { DeskError } from '../../../contract/errors.ts';
import type { SessionStatus } from '../../../contract/models.ts';
import type { Desk } from '../../desk.ts';
import { EXIT } from '../../exit-codes.ts';
import { type CliContext, withDesk } from '../with-desk.ts';

/** Signs in; the connection that was given for it is remembered. */
export const login = (context: CliContext): Promise<number> =>
  withDesk(context, async (desk) => {
    const { session } = desk.connected();
    await session.signIn(context.signal);
    desk.rememberConnection();
    return report(context, desk);
  });

/** Forgets the stored session. */
export const logout = (context: CliContext): Promise<number> =>
  withDesk(context, async (desk) => {
    await desk.connected().session.signOut();
    return report(context, desk);
  });

/** Never signs in: it says what is. A connection that cannot be used is an error; that there is none is an answer. */
export const status = (context: CliContext): Promise<number> =>
  withDesk(context, async (desk) => {
    try {
      desk.connected();
    } catch (error) {
      if (!(error instanceof DeskError) || error.code !== 'connection/missing') throw error;
    }
    return report(context, desk);
  });

const report = async ({ output }: CliContext, { handlers }: Desk): Promise<number> => {
  const { connection, session } = await handlers.app.snapshot(undefined);
  output.result({ connection: connection ?? null, session }, () => {
    const place = connection ? `Service: ${connection.baseUrl}` : 'No service is set up.';
    return [place, sessionWords(session)];
  });
  return EXIT.done;
};

const sessionWords = (session: SessionStatus): string => {
  if (session.state !== 'signed-in') return 'Not signed in.';
  return session.subject === undefined ? 'Signed in.' : `Signed in as ${session.subject}.`;
};
