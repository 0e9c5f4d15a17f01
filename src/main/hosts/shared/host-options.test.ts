import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { appId, callbackScheme, isCommand, parseHostOptions, readStart, restartArgs } from './host-options.ts';

const link = 'com.inspectiondesk.app:/oauth/callback?code=c&state=s';

test('is registered by the packages as the app knows it', () => {
  const packages = readFileSync(new URL('../../../../electron-builder.yml', import.meta.url), 'utf8');
  expect(packages).toMatch(new RegExp(`^appId: ${appId}$`, 'm'));
  expect(packages).toContain(`schemes: [${callbackScheme}]`);
});

test('has defaults', () => {
  expect(parseHostOptions([], {})).toEqual({
    home: undefined,
    tokenStore: 'keychain',
    connection: {},
    sample: false,
    hidden: false,
    restarted: false,
    port: undefined,
  });
});

test('reads its options among those of the runtime', () => {
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

test('finds the paths passed by the system, but none on a line with a link', () => {
  const folder = resolve('jobs');
  expect(readStart(['--no-sandbox', '--home', resolve('data'), folder, 'upload']).paths).toEqual([folder]);
  expect(readStart([folder, link]).paths).toBeUndefined();
  expect(readStart([link, folder]).paths).toBeUndefined();
});

test('finds paths that the file manager of Linux passes as addresses of files, and no other addresses', () => {
  const folder = resolve('Åkervägen 97');
  expect(readStart([pathToFileURL(folder).href, folder, 'https://example.com/a']).paths).toEqual([folder, folder]);
  expect(readStart(['file://elsewhere/%00', 'file:%ZZ', 'file:///a%2Fb']).paths).toEqual([]);
});

test.each(['new-upload', 'pause-uploads', 'resume-uploads'])(
  'finds the task %s of the taskbar, but none on a line with a link',
  (task) => {
    expect(readStart(['--home', resolve('data'), `--task=${task}`]).task).toBe(task);
    expect(isCommand([`--task=${task}`])).toBe(false);
    expect(readStart([`--task=${task}`, '--', link]).task).toBeUndefined();
    expect(readStart(['--', link, `--task=${task}`]).task).toBeUndefined();
  },
);

test('knows no other task', () => {
  expect(readStart(['--task=format-disk']).task).toBeUndefined();
  expect(readStart(['--task']).task).toBeUndefined();
  expect(readStart([]).task).toBeUndefined();
});

test('treats an option without a value as absent', () => {
  expect(parseHostOptions(['--home'], {}).home).toBeUndefined();
});

test('finds a callback address', () => {
  expect(readStart(['/app', '--home', '/data', link]).callback).toBe(link);
  expect(readStart(['/app', 'https://example.com/com.inspectiondesk.app:/']).callback).toBeUndefined();
});

test.each([link, link.toUpperCase(), 'Com.InspectionDesk.App:', 'COM.INSPECTIONDESK.APP:/x'])(
  'A13: finds the callback %s, and reads no option that follows it',
  (address) => {
    for (const before of [['/app'], ['/app', '--'], ['--no-sandbox', '/app', '--home', '/data', '--']]) {
      const args = [...before, address, '--home=/elsewhere', '--base-url', 'https://example.com', '--sample', link];
      expect(readStart(args).callback).toBe(address);
      expect(isCommand([...args, 'upload', '/photos'])).toBe(false);
      expect(parseHostOptions(args, {})).toEqual(parseHostOptions(before, {}));
    }
  },
);

test.each([['--redirect-uri', 'com.inspectiondesk.app:/cb'], ['--redirect-uri=COM.INSPECTIONDESK.APP:/cb']])(
  'A13: takes no redirect address for a callback: %s',
  (...option) => {
    expect(readStart(option).callback).toBeUndefined();
    expect(readStart([...option, link]).callback).toBe(link);
    expect(isCommand([...option, 'login'])).toBe(true);
    expect(parseHostOptions([...option, '--home', '/data', link], {})).toMatchObject({
      home: resolve('/data'),
      connection: { redirectUri: expect.stringMatching(/:\/cb$/) },
    });
  },
);

/**
 * The arguments into which Windows splits the command line of a handler, `"app.exe" "--" "%1"`, if the address contains
 * quotation marks.
 */
test.each([
  ['an option of the app', ['--home=\\\\evil\\share']],
  ['options of Electron and Chromium', ['--no-sandbox', '--inspect=0.0.0.0:9229', '--gpu-launcher=calc.exe']],
  ['a command', ['upload', 'C:\\Users', '--assignment', '1']],
  ['a task', ['--task=pause-uploads']],
  ['a file', ['C:\\Windows\\System32\\calc.exe']],
])('A13: a link that breaks out of its quotation marks brings no %s', (_, injected) => {
  for (const before of [[], ['--'], ['--home', resolve('data'), '--']]) {
    const args = [...before, 'com.inspectiondesk.app:/oauth/callback?code=', ...injected, ''];
    expect(parseHostOptions(args, {})).toEqual(parseHostOptions(before, {}));
    expect(isCommand(args)).toBe(false);
    expect(readStart(args).paths).toBeUndefined();
    expect(readStart(args).task).toBeUndefined();
  }
});

test('a restart has the options of the start, without its files, task and link', () => {
  const options = ['--home', resolve('data'), '--base-url=https://a.example', '--no-sandbox', '--sample'];
  expect(restartArgs([...options, '--task=new-upload', '--hidden', resolve('photos'), '--', link], false)).toEqual([
    ...options,
    '--restarted',
  ]);
  expect(restartArgs(restartArgs(options, true), true)).toEqual([...options, '--restarted', '--hidden']);
});

test('distinguishes a command from a start with a window', () => {
  expect(isCommand([])).toBe(false);
  expect(isCommand(['--home', 'upload', '--no-sandbox'])).toBe(false);
  expect(isCommand(['/photos'])).toBe(false);
  expect(isCommand(['C:\\photos'])).toBe(false);
  expect(isCommand(['upload', '/photos', '--assignment', '1'])).toBe(true);
  expect(isCommand(['--home', '/data', '--json', 'plan-after', '1', '--clear'])).toBe(true);
  expect(isCommand(['--version'])).toBe(true);
});

test('ignores commands on a line with a link', () => {
  expect(isCommand([link, 'upload', '/photos'])).toBe(false);
  expect(isCommand(['upload', '/photos', link])).toBe(false);
});
