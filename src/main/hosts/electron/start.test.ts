import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { registryText } from '../../settings/policy/read-policy.ts';
import { appImageOf, handlerArgs, programArgs, restoreExtraAuthorities, taskArgs } from './start.ts';

type Variables = NonNullable<Parameters<typeof restoreExtraAuthorities>[2]>;

test('separates the arguments of the program from those of the runtime', () => {
  const own = ['--home', '/data', 'upload', '/photos'];
  expect(programArgs(['/opt/inspection-desk', ...own], true)).toEqual(own);
  expect(programArgs(['/electron', '/repository', ...own], false)).toEqual(own);
  expect(programArgs(['/electron', '--no-sandbox', '.', ...own], false)).toEqual(own);
  const launched = ['/opt/inspection-desk', '--log-level=3', '--ozone-platform=headless'];
  expect(programArgs([...launched, ...own], true)).toEqual(own);
  expect(programArgs(launched, true)).toEqual([]);
});

const packaged = { isPackaged: true, appPath: 'C:\\Program Files\\Inspection Desk\\resources\\app.asar' };
const unpackaged = { isPackaged: false, appPath: 'C:\\repository' };
const homeArgs = ['--home', 'C:\\data'];

test('A13: an address of the scheme stands behind the end of all options', () => {
  expect(handlerArgs('C:\\repository', [])).toEqual(['C:\\repository', '--']);
  expect(handlerArgs('C:\\repository', homeArgs)).toEqual(['C:\\repository', ...homeArgs, '--']);
});

test('tasks of the taskbar start the program on the same data directory', () => {
  expect(taskArgs(packaged, [])).toEqual([]);
  expect(taskArgs(packaged, homeArgs)).toEqual(homeArgs);
  expect(taskArgs(unpackaged, homeArgs)).toEqual(['C:\\repository', ...homeArgs]);
});

const restored = async (platform: NodeJS.Platform, variables: Variables, given: NodeJS.ProcessEnv = {}) => {
  const environment = { ...given };
  await restoreExtraAuthorities(environment, platform, variables);
  return environment;
};

test('the file of authorities that Electron takes out of the environment is found again', async () => {
  const asked: string[] = [];
  const answer = async (name: string) => {
    asked.push(name);
    return '/office ca/a=b.pem';
  };
  for (const platform of ['linux', 'win32', 'darwin'] as const)
    expect(await restored(platform, { [platform]: answer })).toEqual({ NODE_EXTRA_CA_CERTS: '/office ca/a=b.pem' });
  expect(asked).toEqual(Array(3).fill('NODE_EXTRA_CA_CERTS'));
  const given = { NODE_EXTRA_CA_CERTS: '/other.pem' };
  expect(await restored('linux', { linux: answer }, given)).toEqual(given);
});

test('a system that does not tell, fails or has no such variable changes nothing', async () => {
  const fails = async () => {
    throw new Error('no such program');
  };
  expect(await restored('linux', {})).toEqual({});
  expect(await restored('win32', { win32: fails })).toEqual({});
  expect(await restored('darwin', { darwin: async () => '' })).toEqual({});
});

test.runIf(process.platform === 'linux')('Linux tells what the process was started with', () => {
  const module = new URL('./start.ts', import.meta.url).href;
  const script = `const environment = {};
    await (await import('${module}')).restoreExtraAuthorities(environment);
    process.stdout.write(JSON.stringify(environment));`;
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: '/office ca/a=b.pem' };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { env, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({ NODE_EXTRA_CA_CERTS: '/office ca/a=b.pem' });
});

test('a value of the registry of Windows is read exactly, whatever its letters', async () => {
  const key = 'HKEY_CURRENT_USER\\Environment';
  const read = (value: string) =>
    registryText(key, 'NODE_EXTRA_CA_CERTS', async (_, [verb, , file = '']) => {
      // `reg query` prints in the code page of the console, which lacks some letters.
      if (verb !== 'export') return `\r\n${key}\r\n    NODE_EXTRA_CA_CERTS    REG_SZ    C:\\Behörden\\ca.pem\r\n\r\n`;
      const lines = ['Windows Registry Editor Version 5.00', '', `[${key}]`, '"Path"=hex(2):25,00,00,00', value, ''];
      writeFileSync(file, `\uFEFF${lines.join('\r\n')}`, 'utf16le');
      return '';
    });
  expect(await read('"NODE_EXTRA_CA_CERTS"="C:\\\\Behörden på Öland\\\\ca.pem"')).toBe('C:\\Behörden på Öland\\ca.pem');
  const bytes = Buffer.from('%Öar%\\ca.pem\0', 'utf16le')
    .toString('hex')
    .replaceAll(/..(?!$)/g, '$&,');
  expect(await read(`"Node_Extra_CA_Certs"=hex(2):${bytes}`)).toBe('%Öar%\\ca.pem');
  expect(await read('"NODE_EXTRA_CA_CERTS"=dword:00000001')).toBeUndefined();
  expect(await read('"TEMP"="C:\\\\Temp"')).toBeUndefined();
  const missing = registryText(key, 'NODE_EXTRA_CA_CERTS', async () => {
    throw Object.assign(new Error('exit code 1'), { code: 1 });
  });
  expect(await missing).toBeUndefined();
});

test('is an AppImage only if its program runs from there, whatever started it', () => {
  const env = { APPIMAGE: '/home/a/Other.AppImage', APPDIR: '/tmp/.mount_Other' };
  expect(appImageOf('/tmp/.mount_Other/inspection-desk', env)).toBe('/home/a/Other.AppImage');
  expect(appImageOf('/opt/Inspection Desk/inspection-desk', env)).toBeUndefined();
  expect(appImageOf('/opt/Inspection Desk/inspection-desk', {})).toBeUndefined();
});
