/** What a storage's yes is worth: that it has the file, and where the dialect tells, that it has these very bytes. */
import { DeskError } from '../../../contract/errors.ts';
import type { Digests } from '../source/hash-messages.ts';
import type { SendOutcome } from '../transfer/transfer-machine.ts';
import { type Dialect, headerOf } from './dialect.ts';
import type { StorageAnswer } from './put-request.ts';

/**
 * The outcome of a send that was answered with 2xx. `digests`: of the file, once it was read to its end.
 * `checked`: the storage was sent the MD5, so that it stored nothing else.
 */
export const stored = (
  { headers, afterLastByte }: StorageAnswer,
  dialect: Dialect,
  digests: Digests | undefined,
  checked: boolean,
): SendOutcome => {
  if (!digests || !afterLastByte) {
    const message = 'the storage answered before it had the file';
    return { type: 'unclear', error: new DeskError('upload/interrupted', message, { retry: 'later' }) };
  }
  const { sha256, md5 } = digests;
  const storedMd5 = checked ? undefined : dialect.storedMd5(headers);
  if (md5 !== undefined && storedMd5 !== undefined && md5 !== storedMd5) {
    const message = 'the stored object differs from the file';
    return { type: 'damaged', error: new DeskError('upload/damaged', message, { retry: 'later' }) };
  }
  return { type: 'stored', proof: { sha256, etag: headerOf(headers, 'etag') } };
};
