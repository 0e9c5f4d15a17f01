import { expect, test } from 'vitest';
import { setUpSession, tokenSet } from './testing/session.ts';

const jwt = (payload: string) => `eyJhbGciOiJub25lIn0.${Buffer.from(payload).toString('base64url')}.c2ln`;

/** Returns the user of a session whose access token is `accessToken`. */
const userWith = async (accessToken: string) => {
  await using signedIn = await setUpSession(() => {});
  await signedIn.restored({ ...tokenSet('1', signedIn.clock.now() + 60_000), accessToken });
  return signedIn.session.user();
};

test('reads the subject of a JWT', async () => {
  expect(await userWith(jwt('{"sub":"ąni"}'))).toEqual({ signedIn: true, subject: 'ąni' });
});

test.each(['opaque', 'a.b', 'a.b.c', jwt('{}'), jwt('{"sub":7}'), jwt('{"sub":""}'), jwt('no json'), jwt('null')])(
  'finds no subject in %s',
  async (token) => {
    expect(await userWith(token)).toEqual({ signedIn: true, subject: undefined });
  },
);
