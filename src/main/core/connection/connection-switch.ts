/** Switches between services, including the embedded sample service, and stores the last connection. */
import { join } from 'node:path';
import { Addresses, type Connection } from '../../../contract/connection.ts';
import { DeskError } from '../../../contract/errors.ts';
import { createSerial } from '../../async/lock.ts';
import { assertNotManaged } from '../../settings/policy/overlay.ts';
import { type ResolvedConnection, resolveConnection, settingsLayer } from '../../settings/resolve-connection.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { Host, SampleService } from '../host.ts';
import type { State } from '../state/state.ts';
import type { ConnectionServices } from './connection-services.ts';

/** The services of the connection in use, if there is one. They are changed only by the switch. */
export type PresentConnection = { services: ConnectionServices | undefined };

type ConnectionSwitchOptions = {
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly state: Pick<State, 'emit' | 'notice'>;
  readonly present: PresentConnection;
  readonly open: (resolved: ResolvedConnection) => Promise<ConnectionServices>;
};

const sampleOff = (): DeskError => new DeskError('connection/sample-off', 'sample data is turned off');

export type ConnectionSwitch = ReturnType<typeof createConnectionSwitch>;

/** Creates a switch without a connection. `restore`, `set`, `useSample` and `leaveSample` connect. */
export const createConnectionSwitch = ({ host, settings, state, present, open }: ConnectionSwitchOptions) => {
  let redirectUri: string | undefined;
  let problem = new DeskError('connection/missing', 'no service is configured');
  let sample: SampleService | undefined;

  const closePresent = async (): Promise<void> => {
    const { services } = present;
    present.services = undefined;
    await services?.close();
  };

  /** Changes run one after another, so that the last change takes effect and no unused connection stays open. */
  const inTurn = createSerial();
  const change = (resolved: ResolvedConnection): Promise<Connection> =>
    inTurn(async () => {
      const next = await open(resolved);
      await closePresent();
      present.services = next;
      ({ redirectUri } = resolved);
      state.emit({ type: 'connection', value: next.connection });
      await next.session.restore();
      return next.connection;
    });

  /**
   * Starts the embedded service if necessary, and stores the connection to it. The service gets its former port if that
   * is free, so that its connection keeps its tokens and batches.
   */
  const startSample = async (): Promise<Connection> => {
    if (!settings.get().sampleData) throw sampleOff();
    const left = present.services?.connection ?? settings.get().connection;
    const former = left?.sample ? left.former : left && Addresses.parse(left);
    sample ??= await host.startSample(join(host.home, 'sample'), settings.get().sample?.port);
    const { port, baseUrl, authUrl, clientId } = sample;
    const connection = { baseUrl, authUrl, clientId, sample: true, ...(former && { former }) };
    // The stored redirect address stays, because it was registered with the former service.
    settings.update({ connection, sample: { port } });
    return connection;
  };

  return {
    /** Returns the present services. If there are none, throws the reason, such as `connection/missing`. */
    connected: (): ConnectionServices => {
      if (!present.services) throw problem;
      return present.services;
    },
    /**
     * Opens the configured connection, and restores its session. Reports errors as notices, except
     * `connection/missing`.
     */
    restore: async (): Promise<void> => {
      try {
        const layers = [settings.managedConnection, ...host.connectionLayers, settingsLayer(settings.get())];
        const resolved = resolveConnection(layers);
        await change(resolved.connection.sample ? { connection: await startSample() } : resolved);
      } catch (error) {
        if (!(error instanceof DeskError)) throw error;
        problem = error;
        if (error.code !== 'connection/missing') state.notice(error);
      }
    },
    /**
     * Connects to a service and stores it. Errors: `settings/managed`, `data/unwritable`, and those of
     * `resolveConnection` and `open`.
     */
    set: async (connection: Addresses): Promise<Connection> => {
      assertNotManaged(settings.managedConnection, connection);
      const resolved = resolveConnection([settings.managedConnection, { ...connection, sample: false }]);
      const changed = await change(resolved);
      // The stored redirect address is removed, because it was registered with the previous service.
      settings.update({ connection: resolved.connection, redirectUri: undefined });
      return changed;
    },
    /** Stores the present connection for the next start. Errors: `data/unwritable`. */
    remember: (): void => {
      settings.update({ connection: present.services?.connection, redirectUri });
    },
    /**
     * Connects to the embedded service, which is started if necessary. Errors: `connection/sample-off`, those of
     * `host.startSample` and of `open`, `data/unwritable`.
     */
    useSample: async (): Promise<Connection> => {
      // While sample data is off, the window does not offer it. A user who requests it otherwise sees the reason.
      if (!settings.get().sampleData) state.notice(sampleOff());
      return change({ connection: await startSample() });
    },
    /**
     * Connects to the service that was in use before the sample data. Fields that the policy, the options or the
     * environment set take precedence. Errors: those of `resolveConnection` (`connection/missing` if a required field
     * has no value) and of `open`, `data/unwritable`.
     */
    leaveSample: async (): Promise<Connection> => {
      const { connection, redirectUri } = settings.get();
      const former = { ...connection?.former, redirectUri, sample: false };
      const resolved = resolveConnection([settings.managedConnection, ...host.connectionLayers, former]);
      const changed = await change(resolved);
      settings.update({ connection: resolved.connection });
      return changed;
    },
    close: async (): Promise<void> => {
      await inTurn(closePresent);
      await sample?.close();
    },
  };
};
