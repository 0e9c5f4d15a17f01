import { expect, test } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import { outcomeOfError } from './send-outcome.ts';

test('when a storage stalls after the last byte, the outcome says that it may have the file', () => {
  const silent = new DeskError('upload/stalled', 'no bytes were transferred for too long', {
    details: { lastByte: true },
  });
  expect(outcomeOfError(silent, new AbortController().signal)).toMatchObject({
    type: 'unclear',
    error: { code: 'upload/unanswered', details: { lastByte: true } },
  });
});
