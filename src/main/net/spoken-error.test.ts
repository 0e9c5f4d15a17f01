import { expect, test } from 'vitest';
import { spokenError } from './spoken-error.ts';

test.each([
  ['{"error":{"code":"NotFound","message":"There is nothing."}}', { error: 'NotFound', message: 'There is nothing.' }],
  ['{"error":"invalid_grant","error_description":"used"}', { error: 'invalid_grant', message: 'used' }],
  ['{"code":17,"message":"No."}', { error: '17', message: 'No.' }],
  ['{"Message":"User is not authorized"}', { message: 'User is not authorized' }],
  [
    '{"type":"https://x.example/p","title":"Forbidden","status":403,"detail":"Not yours."}',
    { error: 'Forbidden', message: 'Not yours.' },
  ],
  ['{"message":{"en":"No."},"code":"E1"}', { error: 'E1' }],
  ['{"error":null}', {}],
  ['[]', {}],
  ['"text"', {}],
  ['<html>', {}],
  ['', {}],
])('%s', (body, expected) => {
  expect(spokenError(body)).toEqual(expected);
});

test('its text is one line, shortened, and without echoed secrets', () => {
  const message = `a\n\tb https://x.example/?code=1 ${'c'.repeat(400)}`;
  const spoken = spokenError(JSON.stringify({ message })).message;
  expect(spoken).toHaveLength(300);
  expect(spoken).toMatch(/^a b https:\/\/x\.example\/\?\[cut\] c+$/);
});
