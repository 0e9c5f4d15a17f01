/** What a send that ended without an answer means for the file. */
import { DeskError, isCertificateCode } from '../../../contract/errors.ts';
import { translateNetworkError } from '../../net/translate.ts';
import type { SendOutcome } from '../transfer/transfer-machine.ts';

/** @throws DeskError `app/cancelled` where that is how it ended; `service/certificate-…`, which every file would meet */
export const failure = (thrown: unknown, signal: AbortSignal): SendOutcome => {
  const error = translateNetworkError(thrown);
  if (error.code === 'app/cancelled' || isCertificateCode(error.code) || signal.aborted) throw error;
  if (error.code === 'upload/stalled')
    return { type: 'unclear', error: error.details.lastByte ? unanswered(error) : error };
  // Its last part did not go out, and another try may be luckier.
  if (error.code === 'upload/hashing-stopped') return { type: 'later', error };
  // Of the file itself. Its last part did not go out, so the storage has none of it.
  if (error.code.startsWith('upload/')) return { type: 'unsendable', error };
  if (error.details.phase === 'connect') return { type: 'later', error };
  const { details, cause } = error;
  const message = 'the connection was lost while sending';
  return { type: 'unclear', error: new DeskError('upload/interrupted', message, { retry: 'later', details, cause }) };
};

const unanswered = ({ details }: DeskError): DeskError =>
  new DeskError('upload/unanswered', 'the storage did not answer after the last byte', {
    retry: 'later',
    details,
  });
