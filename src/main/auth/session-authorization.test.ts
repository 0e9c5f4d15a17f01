import { expect, onTestFinished, test } from 'vitest';
import { parametersOf, setUpSession, tokenAnswer } from './testing/session.ts';
import { authorizationServer } from './token-endpoint.ts';

/** Begins a sign-in whose callback is to arrive at `redirectUri`. */
const begin = async (redirectUri: string) => {
  const opened = Promise.withResolvers<string>();
  let accept: (callbackUrl: string) => boolean = () => false;
  const {
    session,
    clock,
    server,
    [Symbol.asyncDispose]: close,
  } = await setUpSession((response) => void response.end(JSON.stringify(tokenAnswer('1'))), undefined, {
    redirect: {
      open: async (given) => {
        accept = given;
        return { redirectUri, close: async () => {} };
      },
    },
    openExternal: async (url) => opened.resolve(url),
  });
  onTestFinished(close);
  const signingIn = session.signIn();
  // Most tests end before this sign-in, which is then cancelled, so its rejection is ignored.
  signingIn.catch(() => {});
  const url = await opened.promise;
  const { state = '' } = parametersOf(url);
  return { clock, url, state, server, session, signingIn, accept };
};

const scheme = 'com.inspectiondesk.app:/oauth/callback';
const loopback = 'http://127.0.0.1:4000/oauth/callback';

test('builds the authorization URL of the interface', async () => {
  const { url, server } = await begin(scheme);
  expect(url).toMatch(`${server.url}/oauth/authorize?`);
  expect(parametersOf(url)).toEqual({
    response_type: 'code',
    client_id: 'desk',
    redirect_uri: scheme,
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
});

test.each([scheme, loopback])('%s is accepted with its state, once', async (redirectUri) => {
  const { accept, state, server, session, signingIn } = await begin(redirectUri);
  const callback = `${redirectUri}?code=abc&state=${state}`;
  expect(accept(callback)).toBe(true);
  expect(accept(callback)).toBe(false);
  await signingIn;
  expect(session.status()).toMatchObject({ state: 'signed-in' });
  expect(new URLSearchParams(server.requests.at(-1)?.body).get('code')).toBe('abc');
});

test.each([
  [scheme, 'com.inspectiondesk.app:/oauth/other'],
  [scheme, 'com.inspectiondesk.app://oauth/callback'],
  [scheme, 'com.other.app:/oauth/callback'],
  [scheme, 'https://inspectiondesk.app/oauth/callback'],
  [loopback, 'http://127.0.0.1:4001/oauth/callback'],
  [loopback, 'https://127.0.0.1:4000/oauth/callback'],
  [loopback, 'http://localhost:4000/oauth/callback'],
  [loopback, 'http://127.0.0.1:4000/oauth/callback/'],
])('waiting at %s, %s is ignored', async (redirectUri, other) => {
  const { accept, state } = await begin(redirectUri);
  expect(accept(`${other}?code=abc&state=${state}`)).toBe(false);
  expect(accept(`${redirectUri}?code=abc&state=${state}`)).toBe(true);
});

test.each([
  'no address',
  `${scheme}`,
  `${scheme}?code=abc`,
  `${scheme}?code=abc&state=`,
  `${scheme}?code=abc&state=${'x'.repeat(43)}`,
  `${scheme}?code=abc&state=${'é'.repeat(43)}`,
  `${scheme}?error=access_denied`,
])('ignores %s', async (callback) => {
  const { accept } = await begin(scheme);
  expect(accept(callback)).toBe(false);
});

test('ignores a callback with the state given twice', async () => {
  const { accept, state } = await begin(scheme);
  expect(accept(`${scheme}?code=abc&state=${state}&state=${state}`)).toBe(false);
});

test('accepts no callback after the time limit', async () => {
  const { clock, accept, state } = await begin(scheme);
  clock.advance(600_000);
  expect(accept(`${scheme}?code=abc&state=${state}`)).toBe(false);
});

test('two authorizations have no parameters in common', async () => {
  const [a, b] = [parametersOf((await begin(scheme)).url), parametersOf((await begin(scheme)).url)];
  expect(a.state).not.toBe(b.state);
  expect(a.code_challenge).not.toBe(b.code_challenge);
});

test.each(['http://login.example', 'ws://127.0.0.1'])('no authorization at %s', (authUrl) => {
  expect(() => authorizationServer({ authUrl, clientId: 'desk' })).toThrow(
    expect.objectContaining({ code: 'connection/insecure' }),
  );
});
