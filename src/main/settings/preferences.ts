/** The settings that a person can change, in the contract's shape. */
import type { Preferences } from '../../contract/preferences.ts';
import type { SettingsStore } from './settings.ts';

/** The preferences in the settings. */
export const readPreferences = (settings: SettingsStore): Preferences => {
  const { preferences, uploads, advanced } = settings.get();
  const { concurrency, limit: uploadLimit } = uploads;
  return { ...preferences, concurrency, timeBase: advanced.timeBase, ...(uploadLimit && { uploadLimit }) };
};

type Patch = { readonly [K in keyof Preferences]?: Preferences[K] | undefined };

/** Changes the given preferences. Errors: `data/unwritable`. */
export const changePreferences = (settings: SettingsStore, patch: Patch): Preferences => {
  const { uploads, advanced } = settings.get();
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const { concurrency, uploadLimit, timeBase, ...preferences } = { ...readPreferences(settings), ...given };
  settings.update({
    preferences,
    uploads: { ...uploads, concurrency, ...(uploadLimit && { limit: uploadLimit }) },
    advanced: { ...advanced, timeBase },
  });
  return readPreferences(settings);
};

/** Stores `value` under `key` for the window; null removes it. Errors: `input/invalid` (too many), `data/unwritable`. */
export const rememberView = (settings: SettingsStore, key: string, value: unknown): void => {
  const { [key]: _, ...others } = settings.get().views;
  settings.update({ views: value === null ? others : ({ ...others, [key]: value } as typeof others) });
};
