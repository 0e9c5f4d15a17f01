import { expect, test } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import { failure } from './failure.ts';

test('a storage that is silent after the last byte may have the file, and the outcome says so', () => {
  const silent = new DeskError('upload/stalled', 'nothing moved any more', { details: { lastByte: true } });
  expect(failure(silent, new AbortController().signal)).toMatchObject({
    type: 'unclear',
    error: { code: 'upload/unanswered', details: { lastByte: true } },
  });
});
