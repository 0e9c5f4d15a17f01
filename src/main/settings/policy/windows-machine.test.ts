import { expect, test } from 'vitest';
import { REGISTRY_KEY } from './registry-policy.ts';
import { exportRegistry, type RunProgram } from './windows-machine.ts';

const refused = Object.assign(new Error('exit code 1'), { code: 1 });

/** Windows whose `reg query` knows `keys`, which it does not export, and whose PowerShell answers `found`. */
const windows =
  (keys: readonly string[], found: string): RunProgram =>
  async (program, [verb, key = '']) => {
    if (program !== 'reg.exe') return `${found}\r\n`;
    if (verb === 'query' && keys.includes(key)) return '';
    throw refused;
  };

test('a registry without the key has no policy', async () => {
  expect(await exportRegistry(windows(['HKEY_LOCAL_MACHINE\\Software'], 'True'))).toBeUndefined();
});

test('where the office has turned registry tools off, a policy in the registry is not passed over', async () => {
  await expect(exportRegistry(windows([], 'True'))).rejects.toThrow('cannot be read');
  await expect(exportRegistry(windows([], ''))).rejects.toThrow('cannot be read');
  expect(await exportRegistry(windows([], 'False'))).toBeUndefined();
});

test('a program that does not run is an error', async () => {
  const run: RunProgram = async () => {
    throw Object.assign(new Error('spawn'), { code: 'ENOENT' });
  };
  await expect(exportRegistry(run)).rejects.toThrow('spawn');
  // The key is there, and cannot be exported.
  await expect(exportRegistry(windows([REGISTRY_KEY], ''))).rejects.toBe(refused);
});
