import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../server.ts';
import { authorizeUrl } from '../testing/client.ts';

const registered = [
  'com.inspectiondesk.app:/oauth/callback',
  'http://127.0.0.1/*',
  'http://[::1]/done',
  'https://app.example/callback',
];

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ consent: 'auto', redirectUris: registered });
});
afterAll(() => sandbox.close());

/**
 * Requests a code for `redirect_uri`. Returns the address to which the browser is redirected, or the status of an
 * error.
 */
const sentTo = async (redirect_uri: string) => {
  const response = await fetch(authorizeUrl(sandbox, { redirect_uri }), { redirect: 'manual' });
  return response.headers.get('location') ?? response.status;
};

test.each([
  'com.inspectiondesk.app:/oauth/callback',
  'http://127.0.0.1:51004/oauth/callback',
  'http://127.0.0.1/x?y=1',
  'http://[::1]:9/done',
  'https://app.example/callback',
])('%s is registered', async (uri) => {
  const location = await sentTo(uri);
  expect(String(location).startsWith(uri)).toBe(true);
});

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
])('%s is not registered', async (uri) => expect(await sentTo(uri)).toBe(400));
