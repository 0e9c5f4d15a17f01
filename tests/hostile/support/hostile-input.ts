/** Creates inputs of calls as an attacker would: valid by the schema, almost valid, and arbitrary. */
import { z } from 'zod';
import type { Random } from '../../../src/sandbox/sample/sample-data.ts';

const knot: unknown[] = [];
knot.push({ knot });
const nested: unknown = JSON.parse('['.repeat(3000) + ']'.repeat(3000));
const huge = 'x'.repeat(100_000);
const polluting: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');

const numbers: readonly unknown[] = [
  ...[0, -0, 1, -1, 0.5, 50, 200, 1e21, 1796112000, 1796112000000, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 2 ** 63],
  ...[Number.MAX_VALUE, Number.MIN_VALUE, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1n],
];

const texts: readonly string[] = [
  ...[
    '',
    ' ',
    'a',
    'harbour',
    '%',
    '_',
    '*',
    '"',
    "'",
    "' OR 1=1 --",
    '"*" NEAR',
    'a AND (',
    '\\',
    '\0',
    'a\0b',
    '\n',
    '\r\n',
  ],
  ...[
    '\ud800',
    'a\udfff',
    '\u202e',
    '\ufeff',
    'İ',
    'ß',
    'e\u0301',
    '🏠',
    '٣',
    '{name}',
    '{path}',
    '{folder} - {name}',
    '{name}{name}',
  ],
  ...[
    '.',
    '..',
    '../',
    '../../etc/passwd',
    '/etc/passwd',
    'C:\\Windows',
    '\\\\host\\share',
    'file:///etc/passwd',
    '..%2f..',
    'CON',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    '[object Object]',
    '1e309',
    '-1',
  ],
  ...[
    'http://127.0.0.1:1',
    'https://127.0.0.1:1/',
    'http://user:secret@127.0.0.1:1',
    'javascript:alert(1)',
    'http://',
    '=1+1',
  ],
  ...[
    '0d5e8f4a-4a7e-4f0c-9d5b-6f0a2c1b3d4e',
    '00000000-0000-0000-0000-000000000000',
    'x'.repeat(101),
    'x'.repeat(5000),
    huge,
  ],
];

const anything: readonly unknown[] = [
  ...[undefined, null, true, false, [], {}, [[]], [null], { length: 1 }, new Array(3), knot, nested, polluting, huge],
  ...[
    new Date(0),
    new Date(Number.NaN),
    new Map([['a', 1]]),
    new Set([1]),
    /a/,
    new Uint8Array(8),
    new Error('x'),
    Object.create(null),
  ],
];

/**
 * Creates the functions that make up inputs. `known`: meaningful texts, by the fields in which they are used. `rowIds`:
 * returns the ids of existing rows.
 */
export const createHostileInput = (
  random: Random,
  known: Readonly<Record<string, readonly string[]>>,
  rowIds: () => readonly number[],
) => {
  const allKnown = Object.values(known).flat();
  const text = (field?: string): string => {
    const own = known[field ?? ''];
    const some = own && random.chance(0.8) ? random.pick(own) : random.pick(random.chance(0.5) ? allKnown : texts);
    return random.chance(0.03) ? some + random.pick(texts) : some;
  };
  const any = (): unknown => {
    const kind = random.integer(0, 3);
    if (kind === 0) return random.pick(numbers);
    return kind === 1 ? text() : random.pick(anything);
  };

  /**
   * Creates a value for `schema` in `field`. Each of its parts is replaced by an arbitrary value with probability
   * `wrong`.
   */
  const make = (schema: unknown, wrong: number, field?: string): unknown => {
    if (random.chance(wrong)) return any();
    if (schema instanceof z.ZodOptional) return random.chance(0.5) ? undefined : make(schema.unwrap(), wrong, field);
    if (schema instanceof z.ZodDefault) return random.chance(0.5) ? undefined : make(schema.unwrap(), wrong, field);
    if (schema instanceof z.ZodReadonly) return make(schema.unwrap(), wrong, field);
    if (schema instanceof z.ZodObject) return makeObject(schema.shape, wrong);
    if (schema instanceof z.ZodArray) {
      return Array.from({ length: random.integer(0, 4) }, () => make(schema.element, wrong));
    }
    if (schema instanceof z.ZodUnion) return make(random.pick(schema.options), wrong, field);
    if (schema instanceof z.ZodEnum) return random.pick(schema.options);
    if (schema instanceof z.ZodLiteral) return schema.value;
    if (schema instanceof z.ZodBoolean) return random.chance(0.5);
    if (schema instanceof z.ZodNumber) return random.chance(0.5) ? random.integer(0, 70) : random.pick(numbers);
    if (schema instanceof z.core.$ZodString) return text(field);
    return schema instanceof z.ZodUndefined ? undefined : any();
  };

  const makeObject = (shape: Readonly<Record<string, unknown>>, wrong: number): unknown => {
    const entries = Object.entries(shape).flatMap(([name, part]) => {
      const value = make(part, wrong, name);
      return value === undefined && random.chance(0.8) ? [] : [[name, value] as const];
    });
    const extra = random.chance(wrong) ? [[random.pick(texts), any()] as const] : [];
    return Object.fromEntries([...entries, ...extra]);
  };

  /** Creates a value for `schema` that will probably be accepted. */
  const honest = (schema: unknown, field?: string): unknown => {
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
      return random.chance(0.5) ? undefined : honest(schema.unwrap(), field);
    }
    if (schema instanceof z.ZodReadonly) return honest(schema.unwrap(), field);
    if (schema instanceof z.ZodObject) {
      const entries = Object.entries(schema.shape).map(([name, part]) => [name, honest(part, name)] as const);
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    }
    if (schema instanceof z.ZodArray) return [honest(schema.element, field)];
    if (schema instanceof z.core.$ZodString) return random.pick(known[field ?? ''] ?? ['a']);
    if (/^rowIds?$/.test(field ?? '') && rowIds().length > 0) return random.pick(rowIds());
    // Small numbers are accepted most often, because most numbers are counts or indexes.
    return schema instanceof z.ZodNumber ? random.integer(1, 2) : make(schema, 0, field);
  };

  return {
    honest,
    /** Creates a valid or an almost valid value for `schema`. */
    by: (schema: unknown): unknown => make(schema, random.pick([0, 0, 0.02, 0.1, 0.5])),
    /** Creates an arbitrary value. */
    any,
  };
};
