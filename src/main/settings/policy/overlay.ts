/** Applies the policy over the settings: its values are shown, cannot be changed, and are never written to the file. */
import { isDeepStrictEqual } from 'node:util';
import get from 'es-toolkit/compat/get';
import set from 'es-toolkit/compat/set';
import unset from 'es-toolkit/compat/unset';
import { mapValues } from 'es-toolkit/object';
import { isPlainObject } from 'es-toolkit/predicate';
import { DeskError } from '../../../contract/errors.ts';
import { ManagedPath } from '../../../contract/preferences.ts';
import type { ConnectionLayer } from '../resolve-connection.ts';
import { Settings, type SettingsPatch } from '../schema.ts';
import type { Policy } from './policy.ts';

/** The settings that the policy manages. */
export const managedPaths = (policy: Policy): readonly ManagedPath[] =>
  ManagedPath.options.filter((path) => get(policy, path) !== undefined);

/** The policy's part of the connection, which `resolveConnection` puts first. */
export const policyLayer = ({ connection = {} }: Policy): ConnectionLayer => connection;

/** The fields for which one of `layers` has another value than the policy's, which takes precedence. */
export const ignoredFields = (managed: ConnectionLayer, layers: readonly Fields[]): readonly string[] =>
  Object.entries(managed).flatMap(([key, value]) => {
    const isOther = layers.some((layer) => layer[key] !== undefined && layer[key] !== '' && layer[key] !== value);
    return isOther ? [key] : [];
  });

/** @throws DeskError `settings/managed` (details `field`) if `connection` has another value than the policy's layer */
export const assertNotManaged = (managed: ConnectionLayer, connection: ConnectionLayer): void => {
  const [first] = ignoredFields(managed, [connection]);
  if (first !== undefined) throw managedError(ManagedPath.parse(`connection.${first}`));
};

/** `own` with the values of the policy. The connection is left as it is, because it has more sources. */
export const applyPolicy = (own: Settings, { connection: _, ...policy }: Policy): Settings =>
  Settings.parse(overlaid(own, policy));

/** The values of `over`, and those of `under` for fields that `over` does not have, also within groups. */
export const overlaid = (under: Fields, over: Fields): Fields => ({
  ...under,
  ...mapValues(over, (value, group) => (isPlainObject(value) ? { ...Object(under[group]), ...value } : value)),
});

/**
 * The part of `patch` that is written to the file. Where the policy sets a value, the file keeps its own, which applies again
 * without the policy. The connection is ignored.
 * @throws DeskError `settings/managed` (details `field`) if `patch` has another value than the policy
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
