/** What the handlers work with. */
import type { Batch } from '../../../contract/batches.ts';
import type { Connection, ConnectionCheck } from '../../../contract/connection.ts';
import type { Folder } from '../../../contract/upload-preview.ts';
import type { Cache } from '../../cache/cache.ts';
import type { Host } from '../../hosts/host.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { Source } from '../../uploads/source/scan.ts';
import type { ConnectionSwitch } from '../connection/connection-switch.ts';
import type { State } from '../state/state.ts';

export type HandlerParts = {
  readonly state: State;
  readonly cache: Cache;
  readonly settings: SettingsStore;
  readonly host: Host;
  /** A batch with the place of its assignment. */
  readonly titled: (batch: Batch) => Batch;
  readonly connections: ConnectionSwitch;
  readonly checkAddresses: (addresses: Pick<Connection, 'baseUrl' | 'authUrl'>) => Promise<ConnectionCheck>;
  readonly pickFolder: () => Promise<Folder | undefined>;
  /** What an opaque id stands for. Throws `input/invalid` where there is none. */
  readonly sourceOf: (folderId: string) => Source;
};
