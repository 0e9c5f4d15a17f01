import { expect, test } from 'vitest';
import { subjectOf } from './session.ts';

const jwt = (payload: string) => `eyJhbGciOiJub25lIn0.${Buffer.from(payload).toString('base64url')}.c2ln`;

test('reads the subject of a JWT', () => {
  expect(subjectOf(jwt('{"sub":"ąni"}'))).toBe('ąni');
});

test.each(['opaque', 'a.b', 'a.b.c', jwt('{}'), jwt('{"sub":7}'), jwt('{"sub":""}'), jwt('no json'), jwt('null')])(
  'finds no subject in %s',
  (token) => {
    expect(subjectOf(token)).toBeUndefined();
  },
);
