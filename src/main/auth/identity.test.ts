import { expect, test } from 'vitest';
import { connectionIdOf } from './connection-id.ts';
import { subjectOf } from './session.ts';

const connection = { baseUrl: 'https://inspection.example/api', authUrl: 'https://login.example', clientId: 'desk' };

test('a connection has the same key in every run, with or without trailing slashes in its addresses', () => {
  expect(connectionIdOf(connection)).toBe('4bf39e2a1885177a');
  const slashed = { ...connection, baseUrl: 'HTTPS://Inspection.example/api/', authUrl: 'https://login.example/' };
  expect(connectionIdOf(slashed)).toBe(connectionIdOf(connection));
});

test.each(['baseUrl', 'authUrl', 'clientId'])('another %s is another key', (field) => {
  expect(connectionIdOf({ ...connection, [field]: 'https://other.example' })).not.toBe(connectionIdOf(connection));
});

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
