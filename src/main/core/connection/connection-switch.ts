/** Switches between services, the embedded sample service among them, and remembers the last one. */
import { join } from 'node:path';
import type { Connection } from '../../../contract/connection.ts';
import { DeskError } from '../../../contract/errors.ts';
import { createSerial } from '../../async/lock.ts';
import { assertNotManaged, policyLayer } from '../../settings/policy/overlay.ts';
import { type ResolvedConnection, resolveConnection, settingsLayer } from '../../settings/resolve-connection.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { Host, SampleService } from '../host.ts';
import type { ConnectionServices } from './connection-services.ts';

export type ConnectionSwitch = {
  /** The present services. Throws if there are none: `connection/missing`, `connection/insecure`, `input/invalid`. */
  readonly connected: () => ConnectionServices;
  /** Opens the configured connection, if there is one, and restores its session. */
  readonly restore: () => Promise<void>;
  /** Connects to a service and remembers it. Errors: `settings/managed`, `connection/insecure`, `data/unwritable`. */
  readonly set: (connection: Omit<Connection, 'sample'>) => Promise<Connection>;
  /** Saves the present connection for the next start, wherever it was configured. Errors: `data/unwritable`. */
  readonly remember: () => void;
  /** Connects to the embedded service, which is started if necessary. Errors: `connection/sample-off`. */
  readonly useSample: () => Promise<Connection>;
  readonly close: () => Promise<void>;
};

type ConnectionSwitchOptions = {
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly present: PresentConnection;
  readonly open: (resolved: ResolvedConnection) => Promise<ConnectionServices>;
  /** Called when the present connection has been replaced. */
  readonly onChange: () => void;
  readonly onNotice: (notice: DeskError) => void;
};

const sampleOff = (): DeskError => new DeskError('connection/sample-off', 'sample data is turned off');

const missing = (): DeskError => new DeskError('connection/missing', 'no service is configured');

/** There is no connection until `restore`, `set` or `useSample`. */
export const createConnectionSwitch = ({
  host,
  settings,
  present,
  open,
  onChange,
  onNotice,
}: ConnectionSwitchOptions): ConnectionSwitch => {
  let redirectUri: string | undefined;
  let problem: DeskError = missing();
  let sample: SampleService | undefined;

  const closePresent = async (): Promise<void> => {
    const closing = present.get();
    present.set(undefined);
    await closing?.close();
  };

  /** Changes run one after another, so that the last one wins and no connection stays open unused. */
  const inTurn = createSerial();
  const change = (resolved: ResolvedConnection): Promise<Connection> =>
    inTurn(async () => {
      const next = await open(resolved);
      await closePresent();
      present.set(next);
      redirectUri = resolved.redirectUri;
      onChange();
      await next.session.restore();
      return next.connection;
    });

  /** The embedded service keeps its port, so that its connection keeps its tokens and batches. */
  const startSample = async (): Promise<Connection> => {
    if (!settings.get().sampleData) throw sampleOff();
    sample ??= await host.startSample(join(host.home, 'sample'), settings.get().sample?.port);
    const { port, baseUrl, authUrl, clientId } = sample;
    const connection = { baseUrl, authUrl, clientId, sample: true };
    settings.update({ connection, redirectUri: undefined, sample: { port } });
    return connection;
  };

  return {
    connected: () => {
      const services = present.get();
      if (!services) throw problem;
      return services;
    },
    restore: async () => {
      try {
        const resolved = resolveConnection([
          policyLayer(host.policy),
          ...host.connectionLayers,
          settingsLayer(settings.get()),
        ]);
        await change(resolved.connection.sample ? { connection: await startSample() } : resolved);
      } catch (error) {
        if (!(error instanceof DeskError)) throw error;
        problem = error;
        if (error.code !== 'connection/missing') onNotice(error);
      }
    },
    set: async (connection) => {
      const managed = policyLayer(host.policy);
      assertNotManaged(managed, connection);
      const resolved = resolveConnection([managed, { ...connection, sample: false }]);
      const changed = await change(resolved);
      // The redirect address was registered with the previous service.
      settings.update({ connection: resolved.connection, redirectUri: undefined });
      return changed;
    },
    remember: () => {
      settings.update({ connection: present.get()?.connection, redirectUri });
    },
    useSample: async () => {
      // The window does not offer it then; other callers see why nothing happened.
      if (!settings.get().sampleData) onNotice(sampleOff());
      return change({ connection: await startSample() });
    },
    close: async () => {
      await inTurn(closePresent);
      await sample?.close();
    },
  };
};

/** The services of the connection in use, if any. The switch sets them; everything else reads them. */
type PresentConnection = {
  readonly get: () => ConnectionServices | undefined;
  readonly set: (services: ConnectionServices | undefined) => void;
};

/** No connection is in use until one is set. */
export const createPresentConnection = (): PresentConnection => {
  let present: ConnectionServices | undefined;
  return {
    get: () => present,
    set: (services) => {
      present = services;
    },
  };
};

// What is remembered of a connection from one start to the next.
