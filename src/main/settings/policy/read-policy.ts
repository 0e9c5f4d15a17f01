/** Reads what the organisation has set on this machine. Nothing that an ordinary user can change leads here. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { promisify } from 'node:util';
import { decodeText, readBounded } from '../../data/read-file.ts';
import { readJson } from './json-policy.ts';
import { Policy } from './policy.ts';
import { parsePolicies, policyError, type RawPolicy } from './policy-error.ts';
import { REGISTRY_KEY, readRegistry } from './registry-policy.ts';
import { isSafeDescriptor, isSafeMode } from './safe-file.ts';
import { descriptorOf, exportRegistry, systemRoot } from './windows-machine.ts';

/** A machine, as far as its policy needs it. */
export type Machine = {
  readonly platform: NodeJS.Platform;
  /** The text of a file; undefined if there is none. Throws if it cannot be read. */
  readonly readText: (path: string) => string | undefined;
  /** Whether only administrators can change the file, or the folder that it is in. */
  readonly isSafe: (path: string, kind: 'file' | 'folder') => Promise<boolean>;
  /** The exported registry key of Windows; undefined if there is none. Throws if it cannot be read. */
  readonly exportRegistry: () => Promise<string | undefined>;
  /** The property list at `path` as JSON; undefined if there is none. Throws if it cannot be read. */
  readonly readPropertyList: (path: string) => Promise<string | undefined>;
  /** The folder of Windows, such as `C:\Windows`. */
  readonly systemRoot: () => string;
};

/**
 * The policy of the machine: its file, and over that what the system distributes (Group Policy, managed preferences).
 * @throws DeskError `policy/syntax`, `policy/unknown-key`, `policy/invalid`, `policy/unsafe`, `policy/unreadable`
 */
export const readPolicy = async (machine: Machine = thisMachine()): Promise<Policy> => {
  const policies = parsePolicies(await sources(machine));
  const groups: Record<string, unknown> = {};
  for (const [name, value] of policies.flatMap((policy) => Object.entries(policy)))
    groups[name] = typeof value === 'object' ? { ...Object(groups[name]), ...value } : value;
  return Policy.parse(groups);
};

/** The sources on this machine, the one that counts most last. */
const sources = async (machine: Machine): Promise<readonly RawPolicy[]> => {
  const { platform } = machine;
  const found =
    platform === 'win32'
      ? [
          await policyFile(
            machine,
            win32.join(machine.systemRoot(), '..', 'ProgramData', 'Inspection Desk', 'config.json'),
          ),
          await registryPolicy(machine),
        ]
      : platform === 'darwin'
        ? [
            await policyFile(machine, '/Library/Application Support/Inspection Desk/config.json'),
            await managedPreferences(machine),
          ]
        : [await policyFile(machine, '/etc/inspection-desk/config.json')];
  return found.filter((source) => source !== undefined);
};

const policyFile = async ({ platform, readText, isSafe }: Machine, path: string): Promise<RawPolicy | undefined> => {
  const text = await reading(path, () => readText(path));
  if (text === undefined) return undefined;
  const { dirname } = platform === 'win32' ? win32 : posix;
  for (const [at, kind] of [
    [path, 'file'],
    [dirname(path), 'folder'],
  ] as const)
    if (!(await reading(at, () => isSafe(at, kind))))
      throw policyError('policy/unsafe', at, 'can be changed by someone who is not an administrator');
  return readJson(path, text);
};

const registryPolicy = async ({ exportRegistry }: Machine): Promise<RawPolicy | undefined> => {
  const exported = await reading(REGISTRY_KEY, exportRegistry);
  return exported === undefined ? undefined : readRegistry(exported);
};

const MANAGED_PREFERENCES = '/Library/Managed Preferences/com.inspectiondesk.app.plist';

const managedPreferences = async ({ readPropertyList }: Machine): Promise<RawPolicy | undefined> => {
  const text = await reading(MANAGED_PREFERENCES, () => readPropertyList(MANAGED_PREFERENCES));
  if (text === undefined) return undefined;
  const { path, value, faults = [] } = readJson(MANAGED_PREFERENCES, text);
  // What the system itself notes there, such as PayloadUUID.
  const own = Object.entries(Object(value)).filter(([key]) => !key.startsWith('Payload'));
  return { path, value: Object.fromEntries(own), faults };
};

const reading = async <T>(path: string, read: () => T | Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (cause) {
    throw policyError('policy/unreadable', path, 'cannot be read', cause);
  }
};

const MOST_BYTES = 1024 * 1024;

/** The text of a policy file, which PowerShell writes in UTF-16; undefined if there is none. Errors: those of `readBounded`. */
export const readPolicyText = (path: string): string | undefined => {
  const bytes = readBounded(path, MOST_BYTES);
  return bytes && decodeText(bytes);
};

/** This machine, by its own means: no environment variable says where they are. `trusted`: whose the files have to be. */
export const thisMachine = (trusted = 0): Machine => ({
  platform: process.platform,
  readText: readPolicyText,
  isSafe: async (path, kind) =>
    process.platform === 'win32'
      ? isSafeDescriptor(await descriptorOf(path), kind)
      : isSafeMode(statSync(path), trusted),
  exportRegistry: () => exportRegistry(),
  readPropertyList: async (path) => {
    if (readBounded(path, MOST_BYTES) === undefined) return undefined;
    return (
      await promisify(execFile)('/usr/bin/plutil', ['-convert', 'json', '-o', '-', path], { maxBuffer: MOST_BYTES })
    ).stdout;
  },
  systemRoot,
});
