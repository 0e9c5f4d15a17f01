import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const opaque = 'Zk3vQ9xB2mN7pL4rT8wY1cD6fG0hJ5sA';
const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbmkifQ.c2lnbmF0dXJl';

test.each([
  ['https://storage.example/a/b.jpg?X-Amz-Signature=abc&x=1', 'https://storage.example/a/b.jpg?[cut]'],
  ['com.inspectiondesk.app:/oauth/callback?code=abc&state=xyz', 'com.inspectiondesk.app:/oauth/callback?[cut]'],
  ['http://127.0.0.1:4000/cb#access_token=abc done', 'http://127.0.0.1:4000/cb?[cut] done'],
  [`Authorization: Bearer ${opaque}`, 'Authorization: Bearer [cut]'],
  ['bearer short', 'bearer [cut]'],
  [`token ${jwt} refused`, 'token [cut] refused'],
  [
    'grant_type=authorization_code&code=abc&code_verifier=def',
    'grant_type=authorization_code&code=[cut]&code_verifier=[cut]',
  ],
  ['{"access_token":"abc","expires_in":3600}', '{"access_token":"[cut]","expires_in":3600}'],
  ['refresh_token=abc', 'refresh_token=[cut]'],
  ['a form with state=abc', 'a form with state=[cut]'],
  [`got ${opaque} from it`, 'got [cut] from it'],
])('%s', (text, expected) => {
  expect(redact(text)).toBe(expected);
});

test.each([
  'https://inspection.example/contractor/orderable-events',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'photos/2026/IMG_0042.jpg',
  'service/unreachable',
  'the batch is in state running',
  '{"event":"call.failed","error":{"code":"upload/denied","details":{"batch":"b","state":"paused"}}}',
  'Code: AccessDenied',
  'C:\\Users\\Somebody\\Documents\\Protocol 12',
])('%s stays', (text) => {
  expect(redact(text)).toBe(text);
});
