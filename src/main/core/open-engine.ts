/** Opens the upload engine as the settings, the organisation and the options of the command line want it. */
import { join } from 'node:path';
import type { DeskError } from '../../contract/errors.ts';
import type { Hours } from '../../contract/hours.ts';
import type { ManagedPath } from '../../contract/preferences.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { UploadSpeed } from '../uploads/engine/engine-calls.ts';
import { startEngine, type UploadEngine } from '../uploads/engine/start-engine.ts';
import type { Ways } from './connection/ways.ts';
import type { DeskOptions } from './desk-options.ts';
import type { Host } from './host.ts';

type EngineOptions = {
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly ways: Ways;
  readonly options: DeskOptions;
  readonly onBug: (error: unknown) => void;
  /** Called when the engine stays down. */
  readonly onDown: (error: DeskError) => void;
};

type DeskEngine = UploadEngine & {
  /** The settings may have changed: uploads are as fast as they say. */
  readonly followSettings: () => void;
  /** When the organisation allows uploads; none: at any time. */
  readonly officeHours: Hours;
};

/** What an organisation has set wins over the options, and these over a person's settings. Errors: those of `startEngine`. */
export const openEngine = async (opening: EngineOptions): Promise<DeskEngine> => {
  const { host, settings, ways, options, onBug, onDown } = opening;
  const isManaged = (path: ManagedPath): boolean => settings.managed.includes(path);
  const { uploads, log } = settings.get();
  const { networkPatienceMs, probes, timeouts } = options;
  const officeHours = isManaged('uploads.hours') ? (uploads.hours ?? []) : [];
  const concurrency = isManaged('uploads.concurrency') ? undefined : options.concurrency;
  const leaveRoom = isManaged('uploads.leaveRoom') ? undefined : options.leaveRoom;
  const bytesPerSecond = isManaged('uploads.limit') ? undefined : options.bytesPerSecond;
  const fixedLimit = bytesPerSecond === undefined ? undefined : { bytesPerSecond, schedule: [] };
  const speed = (): UploadSpeed => {
    const { limit, leaveRoom: chosen } = settings.get().uploads;
    return { limit: fixedLimit ?? limit, leaveRoom: leaveRoom ?? chosen };
  };
  const engine = await startEngine({
    worker: host.uploadWorker,
    settings: {
      ledgerPath: join(host.home, 'ledger.sqlite'),
      hashThread: host.hashThread.href,
      readThread: host.readThread.href,
      concurrency: concurrency ?? uploads.concurrency,
      hours: officeHours,
      speed: speed(),
      networkPatienceMs,
      probes,
      timeouts,
      reportFiles: options.onFile !== undefined || log.level === 'debug',
      trust: ways.trustFiles(),
    },
    routing: ways.routing,
    onBug,
    onDown,
  });
  return { ...engine, officeHours, followSettings: () => engine.setSpeed(speed()) };
};
