/** Which service the app is connected to, now and after a restart, the embedded one included. */
import { join } from 'node:path';
import type { Connection } from '../../../contract/connection.ts';
import { DeskError } from '../../../contract/errors.ts';
import { createSerial } from '../../async/serial.ts';
import type { Host, SampleService } from '../../hosts/host.ts';
import { type ResolvedConnection, resolveConnection, settingsLayer } from '../../settings/resolve-connection.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { ConnectionServices } from './connection-services.ts';

export type ConnectionSwitch = {
  /** Throws why there is none: `connection/missing`, `connection/insecure`, `input/invalid`. */
  readonly connected: () => ConnectionServices;
  readonly present: () => ConnectionServices | undefined;
  /** Takes up the configured connection and its stored session, if there is one. */
  readonly restore: () => Promise<void>;
  /** Connects to a service and remembers it. Errors: `connection/insecure`, `data/unwritable`. */
  readonly set: (connection: Omit<Connection, 'sample'>) => Promise<Connection>;
  /** Keeps the present connection, whatever named it, for the next start. Errors: `data/unwritable`. */
  readonly remember: () => void;
  /** Starts the embedded service, if need be, and connects to it. */
  readonly useSample: () => Promise<Connection>;
  readonly close: () => Promise<void>;
};

type ConnectionSwitchOptions = {
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly open: (resolved: ResolvedConnection) => Promise<ConnectionServices>;
  /** Another connection is there, or none. */
  readonly onChange: () => void;
  readonly onNotice: (notice: DeskError) => void;
};

const missing = (): DeskError => new DeskError('connection/missing', 'no service is configured');

/** Connected to nothing until `restore`, `set` or `useSample`. */
export const createConnectionSwitch = ({
  host,
  settings,
  open,
  onChange,
  onNotice,
}: ConnectionSwitchOptions): ConnectionSwitch => {
  let present: ConnectionServices | undefined;
  let redirectUri: string | undefined;
  let problem: DeskError = missing();
  let sample: SampleService | undefined;

  const closePresent = async (): Promise<void> => {
    const closing = present;
    present = undefined;
    await closing?.close();
  };

  /** One after another: of two that are asked for at once the last one stays, and none is left open. */
  const inTurn = createSerial();
  const change = (resolved: ResolvedConnection): Promise<Connection> =>
    inTurn(async () => {
      const next = await open(resolved);
      await closePresent();
      present = next;
      redirectUri = resolved.redirectUri;
      onChange();
      await next.session.restore();
      return next.connection;
    });

  /** The embedded service keeps its port, so that its connection, tokens and batches stay the same ones. */
  const startSample = async (): Promise<Connection> => {
    sample ??= await host.startSample(join(host.home, 'sample'), settings.get().sample?.port);
    const { port, baseUrl, authUrl, clientId } = sample;
    const connection = { baseUrl, authUrl, clientId, sample: true };
    settings.update({ connection, redirectUri: undefined, sample: { port } });
    return connection;
  };

  return {
    connected: () => {
      if (!present) throw problem;
      return present;
    },
    present: () => present,
    restore: async () => {
      try {
        const resolved = resolveConnection([...host.connectionLayers, settingsLayer(settings.get())]);
        await change(resolved.connection.sample ? { connection: await startSample() } : resolved);
      } catch (error) {
        if (!(error instanceof DeskError)) throw error;
        problem = error;
        if (error.code !== 'connection/missing') onNotice(error);
      }
    },
    set: async (connection) => {
      const resolved = resolveConnection([{ ...connection, sample: false }]);
      const changed = await change(resolved);
      // The redirect address was registered with the service before.
      settings.update({ connection: resolved.connection, redirectUri: undefined });
      return changed;
    },
    remember: () => {
      settings.update({ connection: present?.connection, redirectUri });
    },
    useSample: async () => change({ connection: await startSample() }),
    close: async () => {
      await inTurn(closePresent);
      await sample?.close();
    },
  };
};
