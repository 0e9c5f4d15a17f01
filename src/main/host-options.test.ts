import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findCallback, isCommand, parseHostOptions } from './host-options.ts';

const link = 'com.inspectiondesk.app:/oauth/callback?code=c&state=s';

test('knows its defaults', () => {
  expect(parseHostOptions([], {})).toEqual({
    home: undefined,
    tokenStore: 'keychain',
    connection: {},
    sample: false,
    port: undefined,
  });
});

test('reads options between those of the runtime', () => {
  const args = ['--no-sandbox', '--inspect=0', '/app', '--home', 'data', '--sample', '--port', '8080'];
  expect(parseHostOptions(args, {})).toMatchObject({ home: resolve('data'), sample: true, port: 8080 });
  expect(parseHostOptions(['--base-url', 'https://service.example'], {}).connection).toEqual({
    baseUrl: 'https://service.example',
  });
});

test('prefers an option to the environment', () => {
  const env = { INSPECTION_DESK_HOME: '/env', INSPECTION_DESK_TOKEN_STORE: 'memory' };
  expect(parseHostOptions([], env)).toMatchObject({ home: resolve('/env'), tokenStore: 'memory' });
  expect(parseHostOptions(['--home=/given', '--token-store=keychain'], env)).toMatchObject({
    home: resolve('/given'),
    tokenStore: 'keychain',
  });
});

test('takes an option without its value as absent', () => {
  expect(parseHostOptions(['--home'], {}).home).toBeUndefined();
});

test('finds a callback address', () => {
  expect(findCallback(['/app', '--home', '/data', link])).toBe(link);
  expect(findCallback(['/app', 'https://example.com/com.inspectiondesk.app:/'])).toBeUndefined();
});

test('reads no option that follows a link', () => {
  expect(parseHostOptions(['/app', link, '--home', '/elsewhere'], {}).home).toBeUndefined();
});

test('tells a command from a window', () => {
  expect(isCommand([])).toBe(false);
  expect(isCommand(['--home', 'upload', '--no-sandbox'])).toBe(false);
  expect(isCommand(['/photos'])).toBe(false);
  expect(isCommand(['C:\\photos'])).toBe(false);
  expect(isCommand(['upload', '/photos', '--assignment', '1'])).toBe(true);
  expect(isCommand(['--home', '/data', '--json', 'plan-after', '1', '--clear'])).toBe(true);
  expect(isCommand(['--version'])).toBe(true);
});

test('takes no command from a line with a link', () => {
  expect(isCommand([link, 'upload', '/photos'])).toBe(false);
  expect(isCommand(['upload', '/photos', link])).toBe(false);
});
