/** The app's settings. A damaged file is moved aside, so that the app can start. */
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { mapValues, omit, omitBy } from 'es-toolkit/object';
import { isPlainObject, isUndefined } from 'es-toolkit/predicate';
import { z } from 'zod';
import { DeskError } from '../../contract/errors.ts';
import { wallNow } from '../async/clock.ts';
import { beyondLevel, flushNames } from '../data/files.ts';
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

export type SettingsStore = ReturnType<typeof openSettings>;

type OpenSettingsOptions = {
  readonly home: string;
  /** Opens the file. Called after the file was checked, because `conf` throws if the file is damaged. */
  readonly open: (home: string) => SettingsFile;
  readonly policy: Policy;
  readonly now?: () => number;
};

/**
 * Opens `<home>/settings.json`. A file that does not have valid settings, or is far too large or too deeply nested, is
 * renamed to settings.corrupt-<time>.json, and an earlier such file is removed. `notice` is then the error that reports
 * this.
 * @throws DeskError `data/unwritable` if the system cannot read the file, or cannot rename a damaged one
 */
export const openSettings = ({ home, open, policy, now = wallNow }: OpenSettingsOptions) => {
  const aside = setAsideIfDamaged(home, now());
  const file = reading(() => open(home));
  const managed = managedPaths(policy);
  let own = Settings.parse(reading(file.read) ?? {});
  let current = applyPolicy(own, policy);

  return {
    /** Returns the settings of the file, overridden by those of the policy. The connection is that of the file. */
    get: (): Settings => current,
    managed,
    /** The policy's part of the connection. `get` does not apply it, because a connection also has other sources. */
    managedConnection: policyLayer(policy),
    /**
     * Replaces the given fields and writes the file. `undefined` removes a field, or restores its default.
     * @throws DeskError `input/invalid` (details `field`), `settings/managed` (details `field`: the path of a setting
     * that has another value in the policy), `data/unwritable`
     */
    update: (patch: SettingsPatch): Settings => {
      const values = ownValues(patch, managed, { own, current });
      const next = Settings.safeParse({ ...own, ...values });
      if (!next.success) throw invalid(next.error.issues[0]?.path.join('.') ?? '');
      writing(() => {
        // Undefined values are left out, because `conf` refuses them.
        const stored = file.read();
        file.write(
          omitBy(isPlainObject(stored) ? withUnknownFields(Settings, stored, next.data) : next.data, isUndefined),
        );
        flushNames(home);
      });
      own = next.data;
      current = applyPolicy(own, policy);
      return current;
    },
    ...(aside === undefined ? {} : { notice: aside }),
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

const setAsideIfDamaged = (home: string, nowMs: number): DeskError | undefined => {
  const path = join(home, 'settings.json');
  const found = reading(() => lstatSync(path, { throwIfNoEntry: false }));
  if (found === undefined || (found.isFile() && found.size <= MOST_BYTES && isSound(path))) return undefined;
  const file = `settings.corrupt-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}.json`;
  writing(() => {
    // Earlier files are removed, because each can be large.
    for (const name of readdirSync(home)) if (ASIDE.test(name)) rmSync(join(home, name), { recursive: true });
    renameSync(path, join(home, file));
  });
  return new DeskError('data/moved-aside', 'the settings file was damaged', { details: { file } });
};

const isSound = (path: string): boolean => {
  const text = reading(() => readFileSync(path, 'utf8'));
  if (beyondLevel(text, MOST_LEVELS) !== undefined) return false;
  try {
    return Settings.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
};

const reading = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new DeskError('data/unwritable', 'the settings file cannot be read', { cause: error });
  }
};

const writing = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    throw new DeskError('data/unwritable', 'the settings file cannot be written', { cause: error });
  }
};

const invalid = (field: string): DeskError =>
  new DeskError('input/invalid', `the setting ${field} is not valid`, { details: { field } });

/**
 * Returns `next` with the fields of `stored` that `schema` does not have, such as those of a newer version. Groups,
 * which are objects with a default, are merged field by field. Any other value, such as a connection, stays as it is
 * stored if it parses to the value in `next`.
 */
const withUnknown = (schema: z.core.$ZodType, stored: unknown, next: unknown): unknown => {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return withUnknown(schema.unwrap(), stored, next);
  if (stored === undefined) return next;
  if (schema instanceof z.ZodObject && isPlainObject(stored) && isPlainObject(next))
    return withUnknownFields(schema, stored, next);
  return isDeepStrictEqual(z.safeParse(schema, stored).data, next) ? stored : next;
};

type Fields = Readonly<Record<string, unknown>>;

const withUnknownFields = ({ shape }: z.ZodObject, stored: Fields, next: Fields): Fields => ({
  ...omit(stored, Object.keys(shape)),
  ...mapValues(next, (value, name) => withUnknown(shape[name], stored[name], value)),
});
