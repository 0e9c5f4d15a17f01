import { expect, test } from 'vitest';
import { isRegisteredRedirect } from './authorize.ts';

const registered = [
  'com.inspectiondesk.app:/oauth/callback',
  'http://127.0.0.1/*',
  'http://[::1]/done',
  'https://app.example/callback',
];

test.each([
  'com.inspectiondesk.app:/oauth/callback',
  'http://127.0.0.1:51004/oauth/callback',
  'http://127.0.0.1/x?y=1',
  'http://[::1]:9/done',
  'https://app.example/callback',
])('%s is registered', (uri) => expect(isRegisteredRedirect(registered, uri)).toBe(true));

test.each([
  'com.inspectiondesk.app:/oauth/callback2',
  'com.inspectiondesk.other:/oauth/callback',
  'http://localhost:51004/oauth/callback',
  'http://127.0.0.1.evil.example/cb',
  'http://user@127.0.0.1:5/cb',
  'http://127.0.0.1:5/cb#part',
  'https://127.0.0.1:5/cb',
  'http://[::1]:9/other',
  'https://app.example:8443/callback',
  'https://app.example/callback?x=1',
  'no address',
  '',
])('%s is not registered', (uri) => expect(isRegisteredRedirect(registered, uri)).toBe(false));
