/** What Windows itself knows: its policy and its registry. Its own programs are run, found without any environment variable. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { promisify } from 'node:util';
import { REGISTRY_KEY } from './registry-policy.ts';

/** Runs a program of Windows by its path below System32; answers its output. Rejects as `execFile` of Node. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

const MOST_BYTES = 1024 * 1024;
const POWERSHELL = 'WindowsPowerShell\\v1.0\\powershell.exe';

/** Where Windows is, by the name that its kernel has for it. */
export const systemRoot = (): string => {
  try {
    return realpathSync.native('\\\\?\\GLOBALROOT\\SystemRoot');
  } catch {
    return 'C:\\Windows';
  }
};

const runProgram: RunProgram = async (program, args) => {
  // PowerShell 7 leaves a path to modules that the one of Windows cannot load.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PSModulePath$/i.test(name)));
  const options = { windowsHide: true, maxBuffer: MOST_BYTES, env };
  return (await promisify(execFile)(win32.join(systemRoot(), 'System32', program), [...args], options)).stdout;
};

const askPowerShell = (command: string, run: RunProgram): Promise<string> =>
  run(POWERSHELL, ['-NoProfile', '-NonInteractive', '-Command', command]);

/** The owner of the file or folder and who may change it, in SDDL. */
export const descriptorOf = (path: string, run: RunProgram = runProgram): Promise<string> =>
  askPowerShell(`(Get-Acl -LiteralPath '${path.replaceAll("'", "''")}').Sddl`, run);

/**
 * A text of the registry; undefined if there is none, or it cannot be read. `reg query` writes in the code page of the
 * console, so other letters of the text are lost.
 */
export const registryText = async (
  key: string,
  name: string,
  run: RunProgram = runProgram,
): Promise<string | undefined> => {
  const written = await run('reg.exe', ['query', key, '/v', name]).catch(() => '');
  return /^ +\S+ +REG_(?:EXPAND_)?SZ +(.*?)\r?$/m.exec(written)?.[1];
};

/**
 * The exported key of the policy; undefined if there is none. Rejects if it cannot be read. `reg query` answers in a code page
 * without all letters; `reg export` writes UTF-16.
 */
export const exportRegistry = async (run: RunProgram = runProgram): Promise<string | undefined> => {
  if (!(await isInRegistry(run))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'inspection-desk-'));
  try {
    const file = join(folder, 'policy.reg');
    await run('reg.exe', ['export', REGISTRY_KEY, file, '/y']);
    return readFileSync(file, 'utf16le');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const isInRegistry = async (run: RunProgram): Promise<boolean> => {
  const query = (key: string): Promise<boolean> =>
    run('reg.exe', ['query', key]).then(
      () => true,
      (error: { readonly code?: unknown }) => {
        if (error.code === 1) return false;
        throw error;
      },
    );
  if (await query(REGISTRY_KEY)) return true;
  // The same code for a missing key as where an office has turned this program off: then no key can be read by it.
  if (await query('HKEY_LOCAL_MACHINE\\Software')) return false;
  const answer = await askPowerShell(`Test-Path -LiteralPath 'Registry::${REGISTRY_KEY}'`, run);
  if (answer.trim() === 'False') return false;
  throw new Error('the registry cannot be read');
};
