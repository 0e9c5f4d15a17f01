/** What the handlers depend on. */
import type { Connection, ConnectionCheck } from '../../../contract/connection.ts';
import type { Folder } from '../../../contract/watched-folders.ts';
import type { Cache } from '../../cache/cache.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { Updates } from '../../updates/updates.ts';
import type { FileSearch } from '../../uploads/find/start-search.ts';
import type { Source } from '../../uploads/source/scan.ts';
import type { ConnectionSwitch } from '../connection/connection-switch.ts';
import type { Ways } from '../connection/ways.ts';
import type { Doctor } from '../doctor/doctor.ts';
import type { Drafts } from '../drafts/drafts.ts';
import type { RuleStore } from '../drafts/rule-store.ts';
import type { Host } from '../host.ts';
import type { Receipts } from '../receipts/receipts.ts';
import type { State } from '../state/state.ts';

export type HandlerParts = {
  readonly state: State;
  readonly cache: Cache;
  readonly settings: SettingsStore;
  readonly host: Host;
  readonly connections: ConnectionSwitch;
  readonly drafts: Drafts;
  readonly fileSearch: FileSearch;
  readonly rules: RuleStore;
  readonly receipts: Receipts;
  readonly ways: Ways;
  readonly doctor: Doctor;
  readonly updates: Updates;
  readonly checkAddresses: (addresses: Pick<Connection, 'baseUrl' | 'authUrl'>) => Promise<ConnectionCheck>;
  /** Assigns an opaque id to a source. */
  readonly adopt: (source: Source) => Folder;
  readonly pickFolder: () => Promise<Folder | undefined>;
  /** The source with an opaque id. Throws `input/invalid` for an unknown id. */
  readonly sourceOf: (folderId: string) => Source;
};
