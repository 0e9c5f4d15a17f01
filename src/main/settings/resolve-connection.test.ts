import { expect, test } from 'vitest';
import { connectionIdOf, environmentLayer, resolveConnection, settingsLayer } from './resolve-connection.ts';
import { Settings } from './schema.ts';

const stored = {
  baseUrl: 'https://inspection.example',
  authUrl: 'https://login.example',
  clientId: 'desk',
};

test('takes each field from the first layer that has it, and ignores empty text', () => {
  const layers = [
    { clientId: 'from-option', baseUrl: '' },
    environmentLayer({ INSPECTION_DESK_BASE_URL: 'https://env.example', INSPECTION_DESK_CLIENT_ID: 'from-env' }),
    settingsLayer(Settings.parse({ connection: stored, redirectUri: 'http://127.0.0.1:4000/cb' })),
  ];
  expect(resolveConnection(layers)).toEqual({
    connection: {
      baseUrl: 'https://env.example',
      authUrl: 'https://login.example',
      clientId: 'from-option',
      sample: false,
    },
    redirectUri: 'http://127.0.0.1:4000/cb',
  });
});

test('the environment can set all four fields', () => {
  const environment = {
    INSPECTION_DESK_BASE_URL: stored.baseUrl,
    INSPECTION_DESK_AUTH_URL: stored.authUrl,
    INSPECTION_DESK_CLIENT_ID: stored.clientId,
    INSPECTION_DESK_REDIRECT_URI: 'http://127.0.0.1/cb',
  };
  expect(resolveConnection([environmentLayer(environment)])).toEqual({
    connection: { ...stored, sample: false },
    redirectUri: 'http://127.0.0.1/cb',
  });
});

test('is the sample service only with its address', () => {
  const sample = { ...stored, baseUrl: 'http://127.0.0.1:4010', sample: true };
  expect(resolveConnection([{}, sample]).connection.sample).toBe(true);
  expect(resolveConnection([{ baseUrl: 'https://other.example' }, sample]).connection.sample).toBe(false);
});

test('names the missing fields', () => {
  expect(() => resolveConnection([{ authUrl: stored.authUrl }])).toThrow(
    expect.objectContaining({ code: 'connection/missing', details: { missing: 'baseUrl,clientId' } }),
  );
});

test.each([
  ['baseUrl', 'inspection.example', 'input/invalid'],
  ['authUrl', 'ftp://login.example', 'input/invalid'],
  ['baseUrl', 'http://inspection.example', 'connection/insecure'],
  ['authUrl', 'http://login.example', 'connection/insecure'],
])('%s %s: %s', (field, value, code) => {
  expect(() => resolveConnection([{ [field]: value }, stored])).toThrow(expect.objectContaining({ code }));
});

test.each([
  ['baseUrl', 'https://user:secret@inspection.example'],
  ['baseUrl', 'https://inspection.example/?secret=1'],
  ['authUrl', 'https://user:secret@login.example'],
  ['authUrl', 'https://login.example/oauth?tenant=secret'],
  ['authUrl', 'https://login.example/#secret'],
])('A14: refuses %s %s by its field, from every layer, without repeating it', (field, value) => {
  const layers = [
    [{ [field]: value }, stored],
    [
      environmentLayer({ [field === 'baseUrl' ? 'INSPECTION_DESK_BASE_URL' : 'INSPECTION_DESK_AUTH_URL']: value }),
      stored,
    ],
    [settingsLayer(Settings.parse({ connection: { ...stored, [field]: value } }))],
  ];
  for (const given of layers) {
    expect(() => resolveConnection(given)).toThrow(
      expect.objectContaining({
        code: 'connection/address',
        message: expect.not.stringContaining('secret'),
        details: { field, part: expect.stringMatching(/^(userinfo|query|fragment)$/) },
      }),
    );
  }
});

test('OAuth: takes the scope from the first layer that has one, with single spaces', () => {
  const environment = environmentLayer({ INSPECTION_DESK_SCOPE: ' openid   offline_access ' });
  const settings = settingsLayer(Settings.parse({ connection: { ...stored, scope: 'stored' } }));
  expect(resolveConnection([environment, settings]).connection.scope).toBe('openid offline_access');
  expect(resolveConnection([{ scope: '' }, settings]).connection.scope).toBe('stored');
  expect(resolveConnection([{ scope: ' ' }, stored]).connection).not.toHaveProperty('scope');
});

test.each(['open"id', 'back\\slash', 'ünicode', 'bell\u0007', 'x'.repeat(3000)])(
  'OAuth: refuses the scope %j',
  (scope) => {
    expect(() => resolveConnection([{ ...stored, scope }])).toThrow(
      expect.objectContaining({ code: 'input/invalid', details: { field: 'scope' } }),
    );
  },
);

const addresses = { baseUrl: 'https://inspection.example/api', authUrl: 'https://login.example', clientId: 'desk' };

test('a connection has the same key in every run, with or without trailing slashes in its addresses', () => {
  expect(connectionIdOf(addresses)).toBe('4bf39e2a1885177a');
  const slashed = { ...addresses, baseUrl: 'HTTPS://Inspection.example/api/', authUrl: 'https://login.example/' };
  expect(connectionIdOf(slashed)).toBe(connectionIdOf(addresses));
});

test.each(['baseUrl', 'authUrl', 'clientId'])('another %s is another key', (field) => {
  expect(connectionIdOf({ ...addresses, [field]: 'https://other.example' })).not.toBe(connectionIdOf(addresses));
});
