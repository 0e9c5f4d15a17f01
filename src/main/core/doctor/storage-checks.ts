/** Whether files can be sent: to the storage that received the last one, and how fast where a test file has a place. */
import { randomBytes } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { DoctorCheck } from '../../../contract/doctor.ts';
import { exchange } from '../../net/exchange.ts';
import { probeHost } from '../../net/probe.ts';
import { translateNetworkError, translateStatus } from '../../net/translate.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import { type Barrier, type Finding, followsFrom, found, runCheck, skipped } from './check.ts';

const TEST_BYTES = 4 * 1024 * 1024;

/** `origin`: of the storage that received the last file, if any did. */
export const checkStorage = (
  dispatcher: Dispatcher,
  connected: Pick<ConnectionServices, 'connection' | 'session' | 'service'>,
  origin: string | undefined,
  barrier: Barrier,
  signal: AbortSignal,
): Promise<readonly DoctorCheck[]> =>
  Promise.all([
    runCheck(
      'storage',
      signal,
      async (within) => {
        if (origin === undefined) return skipped('noStorage');
        const cause = barrier(origin);
        if (cause) return followsFrom(cause);
        await probeHost(dispatcher, origin, within).catch((error: unknown) => {
          throw translateNetworkError(error, new URL(origin));
        });
        return found('answers');
      },
      origin && new URL(origin).host,
    ),
    runCheck('test upload', signal, (within) => {
      const cause = barrier(connected.connection.baseUrl);
      return cause ? followsFrom(cause) : testUpload(dispatcher, connected, within);
    }),
  ]);

/** Sends a file to the sample service and removes it again. A real service has no place for test files. */
const testUpload = async (
  dispatcher: Dispatcher,
  { connection, session, service }: Pick<ConnectionServices, 'connection' | 'session' | 'service'>,
  signal: AbortSignal,
): Promise<Finding> => {
  if (!connection.sample) return skipped('noTestFiles');
  if (!session.user().signedIn) return skipped('noSession');
  const { value } = await service.listProjectAssignments({}, { signal });
  const AssignmentId = value.Items[0]?.AssignmentId;
  if (AssignmentId === undefined) return skipped('noTestFiles');
  const { Key, Url } = await service.signUpload({ AssignmentId, FileName: 'doctor.bin' }, { signal });
  try {
    const body = randomBytes(TEST_BYTES).toString('latin1');
    const startedMs = performance.now();
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await exchange(dispatcher, { method: 'PUT', url: new URL(Url), headers, body, signal });
    if (answer.status >= 300) throw translateStatus(answer);
    const seconds = (performance.now() - startedMs) / 1_000;
    return found('speed', { bytes: Math.round(Buffer.byteLength(body) / seconds) });
  } finally {
    await service.removeFile({ AssignmentId, Key }).catch(() => {});
  }
};
