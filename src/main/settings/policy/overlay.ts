/** Applies the policy over the settings: its values are shown, cannot be changed, and are never written to the file. */
import { isDeepStrictEqual } from 'node:util';
import type { Snapshot } from '../../../contract/app.ts';
import { DeskError } from '../../../contract/errors.ts';
import { ManagedPath } from '../../../contract/preferences.ts';
import type { ConnectionLayer } from '../resolve-connection.ts';
import { Settings, type SettingsPatch } from '../schema.ts';
import type { Policy } from './policy.ts';

/** The settings that the policy manages. */
export const managedPaths = (policy: Policy): readonly ManagedPath[] =>
  ManagedPath.options.filter((path) => {
    const [group = '', key] = path.split('.');
    const value = recordOf(policy)[group];
    return (key === undefined ? value : recordOf(value)[key]) !== undefined;
  });

/** The policy's part of the connection, which `resolveConnection` puts first. */
export const policyLayer = ({ connection = {} }: Policy): ConnectionLayer => connection;

/** The fields for which one of `layers` has another value than the policy's, which counts. */
export const ignoredFields = (managed: ConnectionLayer, layers: readonly Fields[]): readonly string[] =>
  Object.entries(managed).flatMap(([key, value]) => {
    const isOther = layers.some((layer) => layer[key] !== undefined && layer[key] !== '' && layer[key] !== value);
    return isOther ? [key] : [];
  });

/** Settings that the window shows but cannot change. */
export const readOffice = (settings: Settings, policy: Policy): Snapshot['office'] => {
  const { sampleData, signOut } = settings;
  const { redirectUri: _, ...connection } = policy.connection ?? {};
  return { sampleData, signOutErases: signOut.erases, connection };
};

/** @throws DeskError `settings/managed` (details `field`) if `connection` has another value than the policy's layer */
export const assertNotManaged = (managed: ConnectionLayer, connection: ConnectionLayer): void => {
  const [first] = ignoredFields(managed, [connection]);
  if (first !== undefined) throw managedError(ManagedPath.parse(`connection.${first}`));
};

/** `own` with the values of the policy. The connection stays, because it has more sources. */
export const applyPolicy = (own: Settings, { connection: _, ...policy }: Policy): Settings =>
  Settings.parse({
    ...own,
    ...policy,
    uploads: { ...own.uploads, ...policy.uploads },
    letterhead: { ...own.letterhead, ...policy.letterhead },
    network: { ...own.network, ...policy.network },
    updates: { ...own.updates, ...policy.updates },
    desktop: { ...own.desktop, ...policy.desktop },
    cache: { ...own.cache, ...policy.cache },
    log: { ...own.log, ...policy.log },
    signOut: { ...own.signOut, ...policy.signOut },
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
  const values: Record<string, unknown> = { ...patch };
  for (const path of managed) {
    const [group = '', key] = path.split('.');
    if (group === 'connection' || !Object.hasOwn(patch, group)) continue;
    const [given, shown, kept] = [values, current, own].map((settings) => recordOf(settings)[group]);
    const at = (value: unknown): unknown => (key === undefined ? value : recordOf(value)[key]);
    if (!isDeepStrictEqual(at(given), at(shown))) throw managedError(path);
    values[group] = key === undefined ? kept : withValue(recordOf(given), key, at(kept));
  }
  return values;
};

const managedError = (field: ManagedPath): DeskError =>
  new DeskError('settings/managed', `${field} is set by policy`, { details: { field } });

type Fields = Readonly<Record<string, unknown>>;

const withValue = (fields: Fields, key: string, value: unknown): Fields => {
  const { [key]: _, ...others } = fields;
  return value === undefined ? others : { ...others, [key]: value };
};

const recordOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {});
