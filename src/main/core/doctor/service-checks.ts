/** What the service and its sign-in answer, and whether the clock agrees with theirs. */
import { type Dispatcher, request } from 'undici';
import type { ConnectionCheck } from '../../../contract/connection.ts';
import type { CheckName, DoctorCheck } from '../../../contract/doctor.ts';
import { DeskError, type ErrorData, fromErrorData } from '../../../contract/errors.ts';
import { wallNow } from '../../async/clock.ts';
import { translateNetworkError } from '../../net/translate.ts';
import { checkAddresses } from '../connection/check-addresses.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import { type Barrier, type Finding, followsFrom, found, runCheck, skipped } from './check.ts';

/** From here on signatures and tokens may be refused. */
const WRONG_MS = 5 * 60_000;
/** From here on it is worth a word. */
const OFF_MS = 60_000;

export const checkService = async (
  dispatcher: Dispatcher,
  { connection, session, service }: Pick<ConnectionServices, 'connection' | 'session' | 'service'>,
  barrier: Barrier,
  signal: AbortSignal,
): Promise<readonly DoctorCheck[]> => {
  const { baseUrl, authUrl } = connection;
  const [toService, toSignIn] = [barrier(baseUrl), barrier(authUrl)];
  const reached: Promise<ConnectionCheck> =
    toService && toSignIn ? Promise.resolve({}) : checkAddresses(connection, dispatcher, signal);
  // Each check that uses it reports what is wrong with it.
  reached.catch(() => {});
  const ofService = (check: CheckName, find: (within: AbortSignal) => Promise<Finding>): Promise<DoctorCheck> =>
    runCheck(check, signal, toService ? () => followsFrom(toService) : find);
  return Promise.all([
    ofService('service', async () => answers((await reached).baseUrl)),
    runCheck('sign-in address', signal, async () =>
      toSignIn ? followsFrom(toSignIn) : answers((await reached).authUrl),
    ),
    ofService('clock', (within) => clock(dispatcher, new URL(new URL(baseUrl).origin), within)),
    ofService('service data', async (within) => {
      if (!session.user().signedIn) return skipped('noSession');
      await service.listOrderableEvents({ signal: within });
      return found('answers');
    }),
  ]);
};

const answers = (problem: ErrorData | undefined): Finding => {
  if (problem) throw fromErrorData(problem);
  return found('answers');
};

/** How far this computer's clock is from the service's (RFC 9110 section 6.6.1). */
const clock = async (dispatcher: Dispatcher, url: URL, signal: AbortSignal): Promise<Finding> => {
  const { headers, body } = await request(url, { dispatcher, method: 'HEAD', signal }).catch((error: unknown) => {
    throw translateNetworkError(error, url);
  });
  await body.dump();
  const theirsMs = Date.parse(String(headers.date));
  if (Number.isNaN(theirsMs)) return skipped('noAnswer');
  // The header has whole seconds.
  const offMs = Math.max(0, Math.abs(wallNow() - theirsMs) - 1_000);
  const finding = found('clock', { seconds: Math.round(offMs / 1_000) });
  if (offMs < OFF_MS) return finding;
  const details = { minutes: Math.round(offMs / 60_000) };
  const error = new DeskError('upload/clock-wrong', 'the clock differs from the clock of the service', { details });
  if (offMs >= WRONG_MS) throw error;
  return { ...finding, error, state: 'warning' };
};
