/** The settings that a user can change, in the contract's shape. */
import type { Preferences, Views } from '../../contract/preferences.ts';
import type { SettingsStore } from './settings.ts';

/** The preferences in the settings. */
export const readPreferences = (settings: SettingsStore): Preferences => {
  const { preferences, uploads, advanced, letterhead, network, updates, desktop, cache, log } = settings.get();
  const { limit: uploadLimit, hours: uploadHours, receipt: uploadReceipt, ...others } = uploads;
  const { mode, channel } = updates;
  return {
    ...preferences,
    ...others,
    ...(uploadLimit && { uploadLimit }),
    ...(uploadHours && { uploadHours }),
    ...(uploadReceipt && { uploadReceipt }),
    timeBase: advanced.timeBase,
    letterhead,
    network,
    updates: { mode, channel },
    desktop,
    cacheLimitMegabytes: cache.limitMegabytes,
    logLevel: log.level,
  };
};

type Patch = { readonly [K in keyof Preferences]?: Preferences[K] | undefined };

/** Changes the given preferences. Errors: `settings/managed`, `data/unwritable`. */
export const changePreferences = (settings: SettingsStore, patch: Patch): Preferences => {
  const { uploads, advanced, updates: kept, network: present, letterhead: head } = settings.get();
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const all = { ...readPreferences(settings), ...given };
  const {
    concurrency,
    uploadLimit,
    leaveRoom,
    waitOnBattery,
    waitOnMetered,
    uploadHours,
    uploadReceipt,
    timeBase,
    letterhead,
    network,
    updates,
    desktop,
    cacheLimitMegabytes,
    logLevel,
    ...preferences
  } = all;
  const { logo: _, ...named } = letterhead;
  settings.update({
    preferences,
    uploads: {
      ...uploads,
      concurrency,
      leaveRoom,
      waitOnBattery,
      waitOnMetered,
      ...(uploadReceipt && { receipt: uploadReceipt }),
      ...(uploadLimit && { limit: uploadLimit }),
      ...(uploadHours && { hours: uploadHours }),
    },
    advanced: { ...advanced, timeBase },
    // The window never supplies a path: the logo and the file of authorities are picked in main.
    letterhead: { ...named, ...(head.logo !== undefined && { logo: head.logo }) },
    network: { ...present, proxy: network.proxy },
    updates: { ...kept, ...updates },
    desktop,
    cache: { limitMegabytes: cacheLimitMegabytes },
    log: { level: logLevel },
  });
  return readPreferences(settings);
};

/** Stores `value` under `key` for the window; null removes it. Errors: `input/invalid` (too many), `data/unwritable`. */
export const rememberView = (settings: SettingsStore, key: string, value: Views[string]): void => {
  const { [key]: _, ...others } = settings.get().views;
  settings.update({ views: value === null ? others : { ...others, [key]: value } });
};
