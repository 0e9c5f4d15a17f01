/** The app's settings. Values that are not understood are left in the file, and a damaged file is moved aside. */
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { mapValues } from 'es-toolkit/object/mapValues';
import { omit } from 'es-toolkit/object/omit';
import { omitBy } from 'es-toolkit/object/omitBy';
import { isPlainObject } from 'es-toolkit/predicate/isPlainObject';
import { isUndefined } from 'es-toolkit/predicate/isUndefined';
import { attempt } from 'es-toolkit/util/attempt';
import { z } from 'zod';
import { DeskError } from '../../contract/errors.ts';
import { wallNow } from '../async/clock.ts';
import { beyondLevel, flushNames, orUnwritable } from '../data/files.ts';
import { applyPolicy, managedPaths, ownValues, policyLayer } from './policy/overlay.ts';
import type { Policy } from './policy/policy.ts';
import { Settings, type SettingsPatch } from './schema.ts';

/**
 * Gives access to the settings file, by electron-store on the desktop and by conf elsewhere. Both use the same file.
 */
export type SettingsFile = {
  readonly read: () => unknown;
  readonly write: (settings: Readonly<Record<string, unknown>>) => void;
};

/** Parses the settings file, which may have a byte order mark: editors and PowerShell on Windows write one. */
export const parseSettings = (text: string): Record<string, unknown> => JSON.parse(text.replace(/^\uFEFF/, ''));

export type SettingsStore = ReturnType<typeof openSettings>;

type OpenSettingsOptions = {
  readonly home: string;
  /** Opens the file. Called after the file was checked, because `conf` throws if the file is damaged. */
  readonly open: (home: string) => SettingsFile;
  readonly policy: Policy;
  readonly now?: () => number;
};

/**
 * Opens `<home>/settings.json`. For a value that is not understood, such as one of a newer version, its default
 * applies, and the value stays in the file until its setting changes. A file that is not a JSON object, or is far too
 * large or too deeply nested, is renamed to settings.corrupt-<time>.json, and an earlier such file is removed. In the
 * result, `notice` reports such values as `settings/not-understood` (details `fields`), or such a file as
 * `data/moved-aside` (details `file`).
 * @throws DeskError `data/unwritable`
 */
export const openSettings = ({ home, open, policy, now = wallNow }: OpenSettingsOptions) => {
  const aside = setAsideIfDamaged(home, now());
  const file = reading(() => open(home));
  const managed = managedPaths(policy);
  const { value, unknown } = understood(Settings, reading(file.read) ?? {});
  let own = Settings.parse(value);
  let current = applyPolicy(own, policy);
  let isClosed = false;
  const notice = aside ?? (unknown.length > 0 ? notUnderstood(unknown) : undefined);

  return {
    /** Returns the settings of the file, overridden by those of the policy. The connection is that of the file. */
    get: (): Settings => current,
    managed,
    /** The policy's part of the connection. `get` does not apply it, because a connection also has other sources. */
    managedConnection: policyLayer(policy),
    /**
     * Replaces the fields in `patch` and writes the file. `undefined` removes a field, or restores its default. Does
     * nothing after `close`.
     * @throws DeskError `input/invalid` (details `field`), `settings/managed` (details `field`: the path of a setting
     * that has another value in the policy), `data/unwritable`
     */
    update: (patch: SettingsPatch): void => {
      if (isClosed) return;
      const values = ownValues(patch, managed, { own, current });
      const next = Settings.safeParse({ ...own, ...values });
      if (!next.success) throw invalid(next.error.issues[0]?.path.join('.') ?? '');
      writing(() => {
        // Undefined values are left out, because `conf` refuses them.
        file.write(omitBy(Object(withUnknown(Settings, file.read(), next.data)), isUndefined));
        flushNames(home);
      });
      own = next.data;
      current = applyPolicy(own, policy);
    },
    /** To be called before the data directory is unlocked: other processes may then change the file. */
    close: (): void => {
      isClosed = true;
    },
    ...(notice && { notice }),
  };
};

/** The maximum size of the file, far above that of real files. Limited, because each change writes the whole file. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The maximum nesting of values. Limited, because `conf` compares and writes them recursively, and would overflow the
 * stack.
 */
const MOST_LEVELS = 64;

const ASIDE = /^settings\.corrupt-.*\.json$/;

/** Whether `openSettings` would move `<home>/settings.json` aside. Errors: `data/unwritable`. */
export const isDamaged = (home: string): boolean => {
  const path = join(home, 'settings.json');
  const found = reading(() => lstatSync(path, { throwIfNoEntry: false }));
  return found !== undefined && !(found.isFile() && found.size <= MOST_BYTES && isSound(path));
};

const setAsideIfDamaged = (home: string, nowMs: number): DeskError | undefined => {
  if (!isDamaged(home)) return undefined;
  const file = `settings.corrupt-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}.json`;
  writing(() => {
    // Earlier files are removed, because each can be large.
    for (const name of readdirSync(home)) if (ASIDE.test(name)) rmSync(join(home, name), { recursive: true });
    renameSync(join(home, 'settings.json'), join(home, file));
  });
  return new DeskError('data/moved-aside', 'the settings file was damaged', { details: { file } });
};

const isSound = (path: string): boolean => {
  const text = reading(() => readFileSync(path, 'utf8'));
  if (beyondLevel(text, MOST_LEVELS) !== undefined) return false;
  const [, content] = attempt((): unknown => parseSettings(text));
  return isPlainObject(content);
};

const reading = <T>(read: () => T): T => orUnwritable('the settings file cannot be read', {}, read);

const writing = (write: () => void): void => orUnwritable('the settings file cannot be written', {}, write);

const invalid = (field: string): DeskError =>
  new DeskError('input/invalid', `the setting ${field} is not valid`, { details: { field } });

const notUnderstood = (fields: readonly string[]): DeskError =>
  new DeskError('settings/not-understood', 'some settings are not understood', {
    details: { fields: fields.join(', ') },
  });

/**
 * Returns the object schema of a group of settings, without its default; undefined if `schema` is not that of a group.
 */
const groupOf = (schema: z.core.$ZodType): z.ZodObject | undefined => {
  const inner = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
  return inner instanceof z.ZodObject ? inner : undefined;
};

/**
 * Returns `stored` without the values that `schema` does not understand, and the paths of those values. Groups are read
 * field by field. If a group is not valid without the fields that were dropped, the whole group is dropped. Any other
 * value, such as a connection, is dropped as a whole.
 */
const understood = (
  schema: z.core.$ZodType,
  stored: unknown,
  path: readonly string[] = [],
): { readonly value: unknown; readonly unknown: readonly string[] } => {
  const group = groupOf(schema);
  const fields =
    group && isPlainObject(stored)
      ? mapValues(group.shape, (field, name) => understood(field, stored[name], [...path, name]))
      : undefined;
  const value = fields
    ? omitBy(
        mapValues(fields, (field) => field.value),
        isUndefined,
      )
    : stored;
  return z.safeParse(schema, value).success
    ? { value, unknown: Object.values(fields ?? {}).flatMap((field) => field.unknown) }
    : { value: undefined, unknown: [path.join('.')] };
};

/**
 * Returns `next` with what `stored` has and `schema` does not understand, such as fields and values of a newer version.
 * A value whose setting has not changed stays as it is stored.
 */
const withUnknown = (schema: z.core.$ZodType, stored: unknown, next: unknown): unknown => {
  if (stored === undefined) return next;
  if (isDeepStrictEqual(z.safeParse(schema, understood(schema, stored).value).data, next)) return stored;
  const group = groupOf(schema);
  if (!group || !isPlainObject(stored) || !isPlainObject(next)) return next;
  const fields = mapValues(group.shape, (field, name) => withUnknown(field, stored[name], next[name]));
  return omitBy({ ...omit(stored, Object.keys(group.shape)), ...fields }, isUndefined);
};
