import { expect, test } from 'vitest';
import { DeskError, type ErrorCode, toErrorData } from '../../../contract/errors.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { findingText } from './connection-form.tsx';

speakEnglish();

const found = (code: ErrorCode, details = {}) => findingText(toErrorData(new DeskError(code, 'x', { details })));

test.each([
  ['service/unreachable', { cause: 'ENOTFOUND' }, 'Server not found'],
  ['service/unreachable', { cause: 'ECONNREFUSED' }, 'refused the connection'],
  ['service/unreachable', { cause: 'EPROTO' }, 'cannot be reached'],
  ['service/timeout', {}, 'No response'],
  ['connection/unexpected', { field: 'baseUrl', answer: 'HTTP 404' }, 'HTTP 404'],
] as const)('says of %s %j what it means for the address', (code, details, words) => {
  expect(found(code, details)).toContain(words);
});
