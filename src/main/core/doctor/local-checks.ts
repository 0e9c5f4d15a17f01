/** What the app needs of this computer: room on the disk, and the keychain. */
import { statfs } from 'node:fs/promises';
import type { DoctorCheck } from '../../../contract/doctor.ts';
import { DeskError } from '../../../contract/errors.ts';
import type { Host } from '../../hosts/host.ts';
import { type Finding, found, runCheck } from './check.ts';

/** Less space than this is soon filled by ledger, cache and logs. */
const LEAST_FREE_BYTES = 200 * 1000 * 1000;

type Computer = Pick<Host, 'home' | 'version' | 'keychain'> & {
  /** Whether a variable asks not to check certificates. */
  readonly uncheckedTls: boolean;
};

/** The checks that need no data directory. */
export const checkComputer = (
  { home, version, keychain, uncheckedTls }: Computer,
  signal: AbortSignal,
): Promise<readonly DoctorCheck[]> =>
  Promise.all([
    runCheck('version', signal, () => found('text', { text: version })),
    runCheck('free space', signal, () => freeSpace(home)),
    runCheck('keychain', signal, async () => {
      await keychain?.get('doctor');
      return found(keychain ? 'usable' : 'unused');
    }),
    ...(uncheckedTls
      ? [runCheck('certificate checks', signal, () => ({ ...found('alwaysChecked'), state: 'warning' }) as const)]
      : []),
  ]);

const freeSpace = async (home: string): Promise<Finding> => {
  const { bavail, bsize } = await statfs(home);
  const freeBytes = bavail * bsize;
  if (freeBytes < LEAST_FREE_BYTES) {
    throw new DeskError('data/unwritable', 'the disk is nearly full', { details: { path: home, freeBytes } });
  }
  return found('free', { bytes: freeBytes });
};
