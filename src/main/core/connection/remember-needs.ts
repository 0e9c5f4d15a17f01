import { DeskError } from '../../../contract/errors.ts';
import { createNeedsMemory, type NeedsMemory } from '../../auth/sign-in-needs.ts';
import type { SettingsStore } from '../../settings/settings.ts';

/**
 * Stores in the settings what the service of the connection `key` needs at sign-in. If they cannot be written, `onNotice`
 * gets the error, and the needs are found out again after a restart.
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
