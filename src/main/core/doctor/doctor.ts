/** Finds out whether this computer, the network and the service have what the app needs. */
import type { Dispatcher } from 'undici';
import { isConnectionRefusal, type SessionStatus } from '../../../contract/connection.ts';
import type { DoctorCheck, DoctorReport } from '../../../contract/doctor.ts';
import { type ErrorData, fromErrorData } from '../../../contract/errors.ts';
import { wallNow } from '../../async/clock.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import type { Host } from '../host.ts';
import type { Log } from '../log/log.ts';
import { saveBundle } from './bundle.ts';
import {
  type Barrier,
  type CheckedHost,
  checkComputer,
  checkHost,
  checkService,
  checkStorage,
  followed,
  found,
  type HostWays,
  runCheck,
} from './checks.ts';

type DoctorParts = {
  readonly host: Pick<Host, 'home' | 'version' | 'keychain' | 'policy'>;
  readonly settings: SettingsStore;
  /** As in `Ways`. */
  readonly uncheckedTls: boolean;
  /** Problems that were found when the data was opened. */
  readonly notices: () => readonly ErrorData[];
  readonly connected: () => ConnectionServices;
  readonly dispatcher: Dispatcher;
  /** How hosts are reached now. */
  readonly ways: () => HostWays;
  readonly log: Pick<Log, 'write'>;
};

export type Doctor = {
  /** Runs every check, whatever the others find; does not sign in. @throws DeskError `app/cancelled` */
  readonly run: (signal: AbortSignal) => Promise<DoctorReport>;
  /** Saves a zip file for support at `path`: the last report, or a new one, and what `saveBundle` adds. */
  readonly saveBundle: (path: string) => Promise<void>;
};

/** No check has run yet. */
export const createDoctor = (parts: DoctorParts): Doctor => {
  let last: DoctorReport | undefined;
  const run = async (signal: AbortSignal): Promise<DoctorReport> => {
    const { host, uncheckedTls, connected, log } = parts;
    const [computer, data, network] = await Promise.all([
      checkComputer({ ...host, uncheckedTls }, signal),
      checkData(parts, signal),
      connectedOr(connected, (services) => checkNetwork(parts, services, signal)),
    ]);
    last = reportOf(host.version, [...computer, ...data, ...network]);
    const wrong = last.checks.filter(({ state }) => state === 'failed' || state === 'warning');
    log.write('doctor', {
      ok: last.ok,
      wrong: wrong.map(({ check, host: at, error }) => ({ check, host: at, code: error?.code })),
    });
    return last;
  };
  return {
    run,
    saveBundle: async (path) => saveBundle(parts, last ?? (await run(new AbortController().signal)), path),
  };
};

/** The report of these checks, of now. */
export const reportOf = (version: string, checks: readonly DoctorCheck[]): DoctorReport => ({
  ok: checks.every(({ ok }) => ok),
  version,
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
  atMs: wallNow(),
  checks,
});

const connectedOr = async (
  connected: () => ConnectionServices,
  check: (services: ConnectionServices) => Promise<readonly DoctorCheck[]>,
): Promise<readonly DoctorCheck[]> => {
  let services: ConnectionServices;
  try {
    services = connected();
  } catch {
    // The check of the connection reports why there is none.
    return [];
  }
  return check(services);
};

const checkData = async (
  { host, notices, connected }: DoctorParts,
  signal: AbortSignal,
): Promise<readonly DoctorCheck[]> => {
  const stored = notices().filter(({ code }) => !isConnectionRefusal(code));
  return Promise.all([
    runCheck('data directory', signal, () => found('text', { text: host.home })),
    ...stored.map((error) =>
      runCheck('stored data', signal, () => {
        throw fromErrorData(error);
      }),
    ),
    runCheck('connection', signal, () => found('text', { text: connected().connection.baseUrl })),
    runCheck('sign-in', signal, () => {
      const session = connectedSession(connected);
      if (session.state === 'signed-out' && session.reason) throw fromErrorData(session.reason);
      return found(session.state === 'signed-in' ? 'signedIn' : 'signedOut');
    }),
  ]);
};

const connectedSession = (connected: () => ConnectionServices): SessionStatus => {
  try {
    return connected().session.status();
  } catch {
    return { state: 'signed-out' };
  }
};

const checkNetwork = async (
  { dispatcher, ways }: DoctorParts,
  services: ConnectionServices,
  signal: AbortSignal,
): Promise<readonly DoctorCheck[]> => {
  const { baseUrl, authUrl } = services.connection;
  const storage = services.storageOrigin();
  const origins = new Set(
    [baseUrl, authUrl, ...(storage === undefined ? [] : [storage])].map((url) => new URL(url).origin),
  );
  const hosts = ways();
  const within = AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]);
  const reached = onceEach(await Promise.all([...origins].map((origin) => checkHost(hosts, origin, within))));
  const barrier: Barrier = (url) => reached.find(({ origin }) => origin === new URL(url).origin)?.barrier;
  const others = await Promise.all([
    checkService(dispatcher, services, barrier, within),
    checkStorage(dispatcher, services, storage, barrier, within),
  ]);
  return [...reached.flatMap(({ checks }) => checks), ...others.flat()];
};

/** Longer than any network needs that the app can be used in, and as long as a person looks at a progress ring. */
const WHOLE_MS = 20_000;

/** The hosts' checks with each cause once: one proxy or one wrong setting may bar the way to all of them. */
const onceEach = (hosts: readonly CheckedHost[]): readonly CheckedHost[] => {
  const known = new Set<string>();
  return hosts.map((one) => {
    if (one.barrier?.details.proxy === undefined && one.barrier?.code !== 'network/ca-file') return one;
    const cause = `${one.barrier.code} ${one.barrier.details.proxy}`;
    if (!known.has(cause)) {
      known.add(cause);
      return one;
    }
    const { barrier, checks } = one;
    return {
      ...one,
      checks: checks.map((check) => (check.error?.code === barrier.code ? followed(check, barrier) : check)),
    };
  });
};
