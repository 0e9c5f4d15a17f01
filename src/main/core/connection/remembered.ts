/** What is remembered of a connection from one start to the next. */
import { DeskError } from '../../../contract/errors.ts';
import { createNeedsMemory, type NeedsMemory } from '../../auth/token-endpoint.ts';
import { isLoopback } from '../../net/urls.ts';
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

/** Which storage received the last file: the doctor checks it, and no operation of the service names it. */
export type StorageMemory = {
  readonly origin: () => string | undefined;
  /** `host` took a file, or answered a probe; the service is at `baseUrl`. */
  readonly answered: (host: string, baseUrl: URL) => void;
};

/** Keeps it in the settings, under the connection's `key`. If they cannot be written, `onNotice` gets the error. */
export const rememberStorage = (
  settings: SettingsStore,
  key: string,
  onNotice: (notice: DeskError) => void,
): StorageMemory => {
  const origin = (): string | undefined => settings.get().storages[key];
  return {
    origin,
    answered: (host, baseUrl) => {
      // The service is waited for as well. Only where it stores the files itself is it the one storage that is known.
      if (host === baseUrl.host && origin() !== undefined) return;
      const isLocal = isLoopback(new URL(`http://${host}`));
      const answered = `${isLocal ? baseUrl.protocol : 'https:'}//${host}`;
      if (answered === origin()) return;
      try {
        settings.update({ storages: { ...settings.get().storages, [key]: answered } });
      } catch (error) {
        if (!(error instanceof DeskError)) throw error;
        onNotice(error);
      }
    },
  };
};
