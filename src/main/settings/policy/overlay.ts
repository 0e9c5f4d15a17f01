/** Applies the policy over the settings: users see the values of the policy, but cannot change them. */
import { isDeepStrictEqual } from 'node:util';
import get from 'es-toolkit/compat/get';
import set from 'es-toolkit/compat/set';
import unset from 'es-toolkit/compat/unset';
import { mapValues } from 'es-toolkit/object/mapValues';
import { isPlainObject } from 'es-toolkit/predicate/isPlainObject';
import { DeskError } from '../../../contract/errors.ts';
import { ManagedPath } from '../../../contract/preferences.ts';
import type { ConnectionLayer } from '../resolve-connection.ts';
import { Settings, type SettingsPatch } from '../schema.ts';
import type { Policy } from './policy.ts';

export const managedPaths = (policy: Policy): readonly ManagedPath[] =>
  ManagedPath.options.filter((path) => get(policy, path) !== undefined);

/** Returns the policy's part of the connection. Callers pass it to `resolveConnection` as the first layer. */
export const policyLayer = ({ connection = {} }: Policy): ConnectionLayer => connection;

/** Returns the fields of `managed` that have another value in one of `layers`. Empty values do not count. */
export const ignoredFields = (managed: ConnectionLayer, layers: readonly Fields[]): readonly string[] =>
  Object.entries(managed).flatMap(([key, value]) => {
    const isOther = layers.some((layer) => layer[key] !== undefined && layer[key] !== '' && layer[key] !== value);
    return isOther ? [key] : [];
  });

/**
 * Throws if a field of `managed` has another value in `connection`.
 * @throws DeskError `settings/managed` (details `field`)
 */
export const assertNotManaged = (managed: ConnectionLayer, connection: ConnectionLayer): void => {
  const [first] = ignoredFields(managed, [connection]);
  if (first !== undefined) throw managedError(ManagedPath.parse(`connection.${first}`));
};

/**
 * Returns `own` with the values of the policy. The connection of `own` is left as it is, because a connection also has
 * other sources.
 */
export const applyPolicy = (own: Settings, { connection: _, ...policy }: Policy): Settings =>
  Settings.parse(overlaid(own, policy));

/**
 * Merges `over` into `under`: a field of `over` replaces the same field of `under`, and groups are merged field by
 * field.
 */
export const overlaid = (under: Fields, over: Fields): Fields => ({
  ...under,
  ...mapValues(over, (value, group) => (isPlainObject(value) ? { ...Object(under[group]), ...value } : value)),
});

/**
 * Returns `patch`, but with the values of `own`, the user's file, for the fields that the policy manages. These values
 * apply again if the policy is removed. The connection is neither checked nor changed.
 * @throws DeskError `settings/managed` (details `field`) if `patch` changes a managed field outside the connection
 */
export const ownValues = (
  patch: SettingsPatch,
  managed: readonly ManagedPath[],
  { own, current }: { readonly own: Settings; readonly current: Settings },
): Fields => {
  const values = structuredClone(patch);
  for (const path of managed) {
    const [group = ''] = path.split('.');
    if (group === 'connection' || !Object.hasOwn(patch, group)) continue;
    if (!isDeepStrictEqual(get(patch, path), get(current, path))) throw managedError(path);
    const kept = get(own, path);
    if (kept === undefined) unset(values, path);
    else set(values, path, kept);
  }
  return values;
};

const managedError = (field: ManagedPath): DeskError =>
  new DeskError('settings/managed', `${field} is set by policy`, { details: { field } });

type Fields = Readonly<Record<string, unknown>>;
