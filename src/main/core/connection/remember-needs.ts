import { DeskError } from '../../../contract/errors.ts';
import { createNeedsMemory, type NeedsMemory } from '../../auth/sign-in-needs.ts';
import type { SettingsStore } from '../../settings/settings.ts';

/**
 * What the service of the connection `key` turned out to need, kept in the settings. Where these cannot be written, it is
 * found out again after a restart; `onNotice` is told.
 */
export const rememberNeeds = (
  settings: SettingsStore,
  key: string,
  onNotice: (notice: DeskError) => void,
): NeedsMemory =>
  createNeedsMemory(settings.get().signInNeeds[key], (needs) => {
    try {
      settings.update({ signInNeeds: { ...settings.get().signInNeeds, [key]: needs } });
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      onNotice(error);
    }
  });
