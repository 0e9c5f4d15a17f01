/** The policy in the registry of Windows, as `reg export` writes it: UTF-16, and with the type of every value. */
import { allowedAt, type KeySchema, policyKeys } from './keys.ts';
import type { Fault, RawPolicy } from './policy-error.ts';

export const REGISTRY_KEY = 'HKEY_LOCAL_MACHINE\\Software\\Policies\\Inspection Desk';

/** A value of the registry: text, a number, or lines (REG_MULTI_SZ, numbered values). */
type RegistryValue = string | number | readonly string[];

/**
 * The policy in an exported key, not yet checked. Its values are named by dotted keys; a list may also be a key of that name
 * with numbered values. An empty text is no value.
 */
export const readRegistry = (exported: string): RawPolicy => {
  const schemas = new Map(policyKeys().map(({ path, schema }) => [path.toLowerCase(), { path, schema }]));
  const policy: Record<string, unknown> = {};
  const { values, faults } = readValues(exported);
  for (const [name, value] of values) {
    if (value === '' || (Array.isArray(value) && value.length === 0)) continue;
    const key = schemas.get(name.toLowerCase());
    if (key) put(policy, key.path.split('.'), asSchema(value, key.schema));
    else faults.push(fault('policy/unknown-key', name, allowedAt(name.split('.').slice(0, -1))));
  }
  return { path: REGISTRY_KEY, value: policy, faults };
};

const put = (target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner: Record<string, unknown> = { ...Object(target[key]) };
  put(inner, rest, value);
  target[key] = inner;
};

/** `value` in the type that the schema wants, as far as it can be read as such; the check refuses what cannot. */
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

const asJson = (line: string | number): unknown => {
  try {
    return JSON.parse(String(line));
  } catch {
    return line;
  }
};

const TYPES = 'REG_SZ | REG_DWORD | REG_MULTI_SZ';

/** The values by their names below the policy's key, and what is none. */
const readValues = (exported: string) => {
  const values = new Map<string, RegistryValue>();
  const faults: Fault[] = [];
  const lists = new Map<string, Map<number, string>>();
  let list: string | undefined;
  const [header = '', ...lines] = exported
    .replace(/^\uFEFF/, '')
    .replaceAll(/\\\r?\n */g, '')
    .split(/\r?\n/);
  if (!header.startsWith('Windows Registry Editor')) faults.push(fault('policy/syntax', header, TYPES));
  for (const line of lines.filter((text) => text !== '')) {
    const [, key] = /^\[(.*)\]$/.exec(line) ?? [];
    if (key !== undefined) {
      list = listIn(key);
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

/** The name of the list in a key below the policy's; undefined for the policy's own. */
const listIn = (key: string): string | undefined => {
  if (key.toLowerCase() === REGISTRY_KEY.toLowerCase()) return undefined;
  return key.slice(REGISTRY_KEY.length + 1);
};

/** The data of a value: `"text"`, `dword:0000002a`, or bytes with the number of their type. */
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
