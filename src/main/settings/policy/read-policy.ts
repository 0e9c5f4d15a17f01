/** Reads the policy that the organisation has set on this machine. Ordinary users cannot change it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, type Stats, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { promisify } from 'node:util';
import set from 'es-toolkit/compat/set';
import { attempt } from 'es-toolkit/util/attempt';
import {
  findNodeAtLocation,
  getLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { beyondLevel, decodeText, readBounded } from '../../data/files.ts';
import { overlaid } from './overlay.ts';
import {
  allowedAt,
  type Fault,
  type KeySchema,
  Policy,
  parsePolicies,
  policyError,
  policyKeys,
  type RawPolicy,
} from './policy.ts';

type Machine = {
  readonly platform: NodeJS.Platform;
  /** Reads a text file; undefined if it does not exist. Throws if it cannot be read. */
  readonly readText: (path: string) => Promise<string | undefined>;
  /** Whether only administrators can change the file or folder at `path`. */
  readonly isSafe: (path: string, kind: 'file' | 'folder') => Promise<boolean>;
  /** Exports the policy's registry key on Windows; undefined if the key does not exist. Throws if it cannot be read. */
  readonly exportRegistry: () => Promise<string | undefined>;
  /** Reads the property list at `path` as JSON; undefined if it does not exist. Throws if it cannot be read. */
  readonly readPropertyList: (path: string) => Promise<string | undefined>;
  readonly systemRoot: () => string;
};

/**
 * Reads the policy file of the machine. Values of Group Policy (Windows) and managed preferences (macOS) override those
 * of the file.
 * @throws DeskError `policy/syntax`, `policy/unknown-key`, `policy/invalid`, `policy/unsafe`, `policy/unreadable`
 */
export const readPolicy = async (machine: Machine = thisMachine()): Promise<Policy> => {
  const policies = parsePolicies(await sources(machine));
  return Policy.parse(policies.reduce(overlaid, {}));
};

const sources = async (machine: Machine): Promise<readonly RawPolicy[]> => {
  const found = [await policyFile(machine, filePath(machine))];
  if (machine.platform === 'win32') found.push(await registryPolicy(machine));
  if (machine.platform === 'darwin') found.push(await managedPreferences(machine));
  return found.filter((source) => source !== undefined);
};

const filePath = ({ platform, systemRoot }: Machine): string => {
  if (platform === 'win32') return win32.join(systemRoot(), '..', 'ProgramData', 'Inspection Desk', 'config.json');
  return platform === 'darwin'
    ? '/Library/Application Support/Inspection Desk/config.json'
    : '/etc/inspection-desk/config.json';
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
  // The system adds keys such as PayloadUUID.
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

/**
 * Reads the text of a policy file, in any encoding of `decodeText`, because PowerShell writes UTF-16. Resolves to
 * undefined if the file does not exist. Errors: those of `readBounded`.
 */
export const readPolicyText = async (path: string): Promise<string | undefined> => {
  const bytes = await readBounded(path, MOST_BYTES);
  return bytes && decodeText(bytes);
};

/**
 * Describes this machine. Environment variables have no influence on where the policy is read. `trusted`: the id of the
 * user who must own the policy file and its folder; ignored on Windows.
 */
export const thisMachine = (trusted = 0): Machine => ({
  platform: process.platform,
  readText: readPolicyText,
  isSafe: async (path, kind) =>
    process.platform === 'win32'
      ? isSafeDescriptor(await descriptorOf(path), kind)
      : isSafeMode(statSync(path), trusted),
  exportRegistry: () => exportRegistry(),
  readPropertyList: async (path) => {
    if ((await readBounded(path, MOST_BYTES)) === undefined) return undefined;
    const options = { maxBuffer: MOST_BYTES, timeout: PROGRAM_MS };
    return (await promisify(execFile)('/usr/bin/plutil', ['-convert', 'json', '-o', '-', path], options)).stdout;
  },
  systemRoot,
});

/**
 * Parses `file`, the text of the JSON file at `path`, without validating the values. If the text is not JSON or is
 * nested too deeply, the result has faults and no values.
 */
export const readJson = (path: string, file: string): RawPolicy => {
  const text = file.replace(/^\uFEFF/, '');
  const fault = (offset: number, what: string, key?: string): Fault => ({
    code: 'policy/syntax',
    path,
    line: lineAt(text, offset),
    what,
    ...(key && { key }),
  });
  const deep = tooDeep(text);
  if (deep) return { path, value: {}, faults: [fault(deep.offset, 'NestingTooDeep', deep.key)] };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  if (!root || errors.length > 0) {
    const faults = errors.slice(0, MOST_ERRORS).map(({ offset, error }) => fault(offset, printParseErrorCode(error)));
    return { path, value: {}, faults: faults.length > 0 ? faults : [fault(0, 'ValueExpected')] };
  }
  return {
    path,
    value: JSON.parse(text),
    lineOf: (keys) => lineAt(text, nearest(root, keys.map(String)).offset),
  };
};

/** The maximum number of syntax errors that are listed, because one missing comma causes many. */
const MOST_ERRORS = 5;

/** The maximum nesting of a policy. The schema has far fewer levels. */
const MOST_LEVELS = 20;

/** Returns where `text` is nested deeper than `MOST_LEVELS`, if it is. `key`: the keys that lead to the place. */
const tooDeep = (text: string): { readonly offset: number; readonly key: string } | undefined => {
  const offset = beyondLevel(text, MOST_LEVELS);
  if (offset === undefined) return undefined;
  return { offset, key: getLocation(text.slice(0, offset), offset).path.join('.') };
};

const nearest = (root: Node, keys: readonly string[]): Node => {
  const found = findNodeAtLocation(
    root,
    keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
  );
  if (found) return found.parent?.type === 'property' ? found.parent : found;
  return keys.length === 0 ? root : nearest(root, keys.slice(0, -1));
};

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

// The policy in the registry of Windows, as `reg export` writes it: in UTF-16, and with the type of each value.

export const REGISTRY_KEY = 'HKEY_LOCAL_MACHINE\\Software\\Policies\\Inspection Desk';

type RegistryValue = string | number | readonly string[];

/**
 * Reads the policy from an exported key, without validating its values. The name of a registry value is a dotted key of
 * the policy. A list can also be a subkey with numbered values. Empty texts and empty lists are ignored.
 */
const readRegistry = (exported: string): RawPolicy => {
  const schemas = new Map(policyKeys().map(({ path, schema }) => [path.toLowerCase(), { path, schema }]));
  const policy = {};
  const { values, faults } = readValues(exported, REGISTRY_KEY);
  for (const [name, value] of values) {
    if (value === '' || (Array.isArray(value) && value.length === 0)) continue;
    const key = schemas.get(name.toLowerCase());
    if (key) set(policy, key.path, asSchema(value, key.schema));
    else faults.push(fault('policy/unknown-key', name, allowedAt(name.split('.').slice(0, -1))));
  }
  return { path: REGISTRY_KEY, value: policy, faults };
};

/**
 * Converts `value` to the type that the schema requires. Returns `value` unchanged if that is impossible or
 * unnecessary.
 */
const asSchema = (value: RegistryValue, schema: KeySchema): unknown => {
  const types = [schema, ...(schema.anyOf ?? [])].flatMap((one) => (typeof one === 'object' ? [one.type] : []));
  if (types.includes('array')) {
    const lines = typeof value === 'object' ? value : [value];
    return isListOfObjects(schema) ? lines.map(asJson) : lines;
  }
  if (types.includes('boolean') && (value === 0 || value === 1)) return value === 1;
  if (types.includes('integer') && typeof value === 'string' && /^\d+$/.test(value)) return Number(value);
  return value;
};

const isListOfObjects = ({ items }: KeySchema): boolean =>
  typeof items === 'object' && !Array.isArray(items) && 'type' in items && items.type === 'object';

const asJson = (line: string | number): unknown => attempt(() => JSON.parse(String(line)))[1] ?? line;

const TYPES = 'REG_SZ | REG_DWORD | REG_MULTI_SZ';

const readValues = (exported: string, key: string) => {
  const values = new Map<string, RegistryValue>();
  const faults: Fault[] = [];
  const lists = new Map<string, Map<number, string>>();
  // The name of the subkey that is being read, which is the name of a list; undefined for the key itself.
  let list: string | undefined;
  const [header = '', ...lines] = exported
    .replace(/^\uFEFF/, '')
    .replaceAll(/\\\r?\n */g, '')
    .split(/\r?\n/);
  if (!header.startsWith('Windows Registry Editor')) faults.push(fault('policy/syntax', header, TYPES));
  for (const line of lines.filter((text) => text !== '')) {
    const [, heading] = /^\[(.*)\]$/.exec(line) ?? [];
    if (heading !== undefined) {
      list = heading.slice(key.length + 1) || undefined;
      continue;
    }
    const [, quoted = '', data = ''] = /^(@|"(?:[^"\\]|\\.)*")=(.*)$/.exec(line) ?? [];
    const value = readData(data);
    const name = quoted.startsWith('"') ? unquote(quoted) : quoted || line;
    if (value === undefined) faults.push(fault('policy/syntax', name, TYPES));
    if (value === undefined || quoted === '@') continue;
    if (list === undefined) values.set(name, value);
    else lists.set(list, new Map([...(lists.get(list) ?? []), [Number(name), String(value)]]));
  }
  for (const [name, numbered] of lists)
    values.set(
      name,
      [...numbered].sort(([one], [other]) => one - other).map(([, text]) => text),
    );
  return { values, faults };
};

/**
 * Parses the data of a registry value: a text (`"text"`), a number (`dword:0000002a`), or bytes with the number of
 * their type (`hex(7):…`). Returns undefined if the type is not supported.
 */
const readData = (data: string): RegistryValue | undefined => {
  if (/^"(?:[^"\\]|\\.)*"$/.test(data)) return unquote(data);
  const [, dword] = /^dword:([0-9a-f]{8})$/i.exec(data) ?? [];
  if (dword !== undefined) return Number.parseInt(dword, 16);
  const [, type, hex = ''] = /^hex\(([127b])\):([0-9a-f,]*)$/i.exec(data) ?? [];
  if (type === undefined) return undefined;
  const bytes = Buffer.from(hex.replaceAll(',', ''), 'hex');
  if (type.toLowerCase() === 'b') return bytes.length === 8 ? Number(bytes.readBigUInt64LE()) : undefined;
  const text = bytes.toString('utf16le');
  return type === '7' ? text.split('\0').filter((part) => part !== '') : text.replace(/\0.*$/s, '');
};

const unquote = (quoted: string): string => quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1');

const fault = (code: Fault['code'], key: string, what: string): Fault => ({ code, path: REGISTRY_KEY, key, what });

// Checks that only administrators can change a policy file. Otherwise another user could send all users to a false
// service.

const isSafeMode = ({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, trusted: number): boolean =>
  uid === trusted && (mode & 0o022) === 0;

/** Matches the trusted owners: SYSTEM, Administrators and TrustedInstaller. */
const TRUSTED = /^(SY|BA|S-1-5-18|S-1-5-32-544|S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464)$/;

/** Bits of an access mask, by their letters in SDDL ([MS-DTYP] 2.5.1.1). */
const RIGHTS: Readonly<Record<string, number>> = {
  GA: 0x1000_0000,
  GW: 0x4000_0000,
  FA: 0x1f_01ff,
  FW: 0x12_0116,
  WO: 0x8_0000,
  WD: 0x4_0000,
  SD: 0x1_0000,
  CC: 0x1,
  DC: 0x2,
  LC: 0x4,
  SW: 0x8,
  RP: 0x10,
  WP: 0x20,
  DT: 0x40,
  LO: 0x80,
  CR: 0x100,
};

/** The rights to take ownership of an object, change its permissions, delete it, or write to it in general. */
const GENERIC = 0x1000_0000 | 0x4000_0000 | 0x8_0000 | 0x4_0000 | 0x1_0000;
const CHANGE_FILE = GENERIC | 0x2 | 0x4;
/**
 * `GENERIC`, and the right to delete the contents of a folder. The right to add files is not included: users have that
 * right below ProgramData, and cannot replace existing files with it.
 */
const CHANGE_FOLDER = GENERIC | 0x40;

/**
 * Whether only administrators may write, according to a Windows security descriptor in SDDL (`O:BAG:…D:…`). A
 * descriptor that cannot be parsed counts as unsafe.
 */
export const isSafeDescriptor = (sddl: string, kind: 'file' | 'folder'): boolean => {
  const [, owner = '', entries] = /^O:(.+?)G:.+?D:[A-Z]*?((?:\([^()]*\))*)(?:S:.*)?$/s.exec(sddl.trim()) ?? [];
  // A list without entries allows nothing. A missing list (no `D:`) allows everything; the expression does not match
  // such a descriptor.
  if (entries === undefined || !TRUSTED.test(owner)) return false;
  return [...entries.matchAll(/\(([^()]*)\)/g)].every(([, entry = '']) => {
    const [type = '', flags = '', rights = '', , , who = ''] = entry.split(';');
    const isDeny = type === 'D' || type === 'XD' || type === 'OD';
    // An inherit-only entry applies to children, not to the folder itself.
    if (isDeny || /^(..)*IO/.test(flags) || TRUSTED.test(who)) return true;
    return (maskOf(rights) & (kind === 'file' ? CHANGE_FILE : CHANGE_FOLDER)) === 0;
  });
};

const maskOf = (rights: string): number =>
  rights.startsWith('0x')
    ? Number.parseInt(rights, 16)
    : (rights.match(/../g) ?? []).reduce((mask, letters) => mask | (RIGHTS[letters] ?? 0), 0);

// Reads the permissions of files, and the registry, on Windows. The programs that do this belong to Windows. They are
// found without environment variables, because users can change those.

/**
 * Runs a program of Windows by its path below System32, and resolves to its output. Rejects like `execFile` of Node.
 */
type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

export const POWERSHELL = 'WindowsPowerShell\\v1.0\\powershell.exe';

/**
 * Returns the path of the Windows folder. It is found through the kernel's name for the folder, because users can
 * change environment variables. If that fails, returns `C:\Windows`.
 */
const systemRoot = (): string =>
  attempt(() => realpathSync.native('\\\\?\\GLOBALROOT\\SystemRoot'))[1] ?? 'C:\\Windows';

/**
 * Returns the absolute path of a program below System32. For a bare name, Windows would first look in the current
 * folder, which may be the shared folder of a file that was opened with the app.
 */
export const systemProgram = (program: string): string => win32.join(systemRoot(), 'System32', program);

/** How long a program may take. The app shows nothing before it has read the policy. */
const PROGRAM_MS = 30_000;

const runProgram: RunProgram = async (program, args) => {
  // PowerShell 7 sets this variable to modules that Windows PowerShell cannot load.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PSModulePath$/i.test(name)));
  const options = { windowsHide: true, maxBuffer: MOST_BYTES, env, timeout: PROGRAM_MS };
  return (await promisify(execFile)(systemProgram(program), [...args], options)).stdout;
};

const askPowerShell = (command: string, run: RunProgram): Promise<string> =>
  run(POWERSHELL, ['-NoProfile', '-NonInteractive', '-Command', command]);

const descriptorOf = (path: string): Promise<string> =>
  askPowerShell(`(Get-Acl -LiteralPath '${path.replaceAll("'", "''")}').Sddl`, runProgram);

/** Reads the text `name` in the registry key `key` (a full name); undefined if it does not exist or cannot be read. */
export const registryText = async (
  key: string,
  name: string,
  run: RunProgram = runProgram,
): Promise<string | undefined> => {
  const exported = await exportKey(key, run).catch(() => '');
  const found = [...readValues(exported, key).values].find(([own]) => own.toLowerCase() === name.toLowerCase());
  return typeof found?.[1] === 'string' ? found[1] : undefined;
};

/** Exports the policy's registry key; undefined if the key does not exist. Rejects if it cannot be read. */
export const exportRegistry = async (run: RunProgram = runProgram): Promise<string | undefined> =>
  (await isInRegistry(run)) ? exportKey(REGISTRY_KEY, run) : undefined;

/**
 * Exports a key of the registry by its full name. `reg export` writes UTF-16, while `reg query` writes in a code page
 * that lacks many letters.
 */
const exportKey = async (key: string, run: RunProgram): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'inspection-desk-'));
  try {
    const file = join(folder, 'key.reg');
    await run('reg.exe', ['export', key, file, '/y']);
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
  // `reg.exe` also exits with code 1 if the organisation has disabled it. It then cannot read any key.
  if (await query('HKEY_LOCAL_MACHINE\\Software')) return false;
  const answer = await askPowerShell(`Test-Path -LiteralPath 'Registry::${REGISTRY_KEY}'`, run);
  if (answer.trim() === 'False') return false;
  throw new Error('the registry cannot be read');
};
