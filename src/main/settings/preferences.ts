/** The settings that the window shows, in the shape that the contract defines. */

import get from 'es-toolkit/compat/get';
import set from 'es-toolkit/compat/set';
import { mapValues } from 'es-toolkit/object/mapValues';
import { omit } from 'es-toolkit/object/omit';
import { pick } from 'es-toolkit/object/pick';
import type { Snapshot } from '../../contract/app.ts';
import { Preferences, type Views } from '../../contract/preferences.ts';
import type { SettingsStore } from './settings.ts';

const places: { readonly [Name in keyof Preferences]-?: string } = {
  appearance: 'preferences.appearance',
  language: 'preferences.language',
  formats: 'preferences.formats',
  dateFormat: 'preferences.dateFormat',
  concurrency: 'uploads.concurrency',
  uploadLimit: 'uploads.limit',
  leaveRoom: 'uploads.leaveRoom',
  waitOnBattery: 'uploads.waitOnBattery',
  waitOnMetered: 'uploads.waitOnMetered',
  uploadHours: 'uploads.hours',
  uploadReceipt: 'uploads.receipt',
  timeBase: 'advanced.timeBase',
  letterhead: 'letterhead',
  network: 'network',
  updates: 'updates',
  desktop: 'desktop',
  cacheLimitMegabytes: 'cache.limitMegabytes',
  logLevel: 'log.level',
};

export const readPreferences = (settings: SettingsStore): Preferences =>
  Preferences.parse(mapValues(places, (place) => get(settings.get(), place)));

/**
 * Reads the settings that the window shows but cannot change. `connection`: the policy's part of the connection,
 * without the redirect address.
 */
export const readOffice = ({ get: read, managedConnection }: SettingsStore): Snapshot['office'] => {
  const { sampleData, signOut } = read();
  const { redirectUri: _, ...connection } = managedConnection;
  return { sampleData, signOutErases: signOut.erases, connection };
};

type Patch = { readonly [K in keyof Preferences]?: Preferences[K] | undefined };

/** Changes the preferences in `patch`. Errors: `input/invalid`, `settings/managed`, `data/unwritable`. */
export const changePreferences = (settings: SettingsStore, patch: Patch): void => {
  const before = settings.get();
  const next = structuredClone(before);
  for (const [name, value] of Object.entries(patch)) if (value !== undefined) set(next, get(places, name), value);
  settings.update({
    ...pick(next, ['preferences', 'uploads', 'advanced', 'desktop', 'cache', 'log']),
    // The window never sends a path: main opens the file pickers for the logo and the certificate authorities.
    letterhead: { ...omit(next.letterhead, ['logo']), ...pick(before.letterhead, ['logo']) },
    network: { ...before.network, proxy: next.network.proxy },
    updates: { ...before.updates, ...next.updates },
  });
};

/**
 * Stores `value` under `key`. Null removes the stored value. Errors: `input/invalid` (too many values),
 * `data/unwritable`.
 */
export const rememberView = (settings: SettingsStore, key: string, value: Views[string]): void => {
  const { [key]: _, ...others } = settings.get().views;
  settings.update({ views: value === null ? others : { ...others, [key]: value } });
};
