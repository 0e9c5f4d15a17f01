/**
 * Reads the battery and the connection of this machine from the system's own programs. Electron knows whether the
 * machine runs on its battery, but not the charge or whether the connection is metered.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { steadyNow } from '../../async/clock.ts';
import type { MachineState } from '../../net/machine-changes.ts';
import { POWERSHELL, systemProgram } from '../../settings/policy/read-policy.ts';

/** Access to the system. `run` resolves to the standard output. All functions reject if their target is missing. */
type MachineSources = {
  readonly platform: NodeJS.Platform;
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
  readonly readText: (path: string) => Promise<string>;
  readonly list: (folder: string) => Promise<readonly string[]>;
};

const UNKNOWN: MachineState = { isMetered: false };

/** Reads the state. An unknown power source is reported as mains power, an unknown connection as not metered. */
const readMachineState = async (sources: MachineSources): Promise<MachineState> => {
  switch (sources.platform) {
    case 'win32':
      return readWindows(sources).catch(() => UNKNOWN);
    case 'darwin':
      // macOS tells only native code whether a connection is metered.
      return { ...(await readMacBattery(sources).catch(() => ({}))), isMetered: false };
    case 'linux': {
      const [battery, isMetered] = await Promise.all([
        readLinuxBattery(sources).catch(() => ({})),
        readNetworkManager(sources).catch(() => false),
      ]);
      return { ...battery, isMetered };
    }
    default:
      return UNKNOWN;
  }
};

// On Windows, SystemInformation.PowerStatus and the connection cost of the network profile are read with Windows
// PowerShell 5.1, which every Windows 10 and 11 has. A metered connection has the cost type Fixed or Variable.

const WINDOWS_SCRIPT = `
Add-Type -AssemblyName System.Windows.Forms
$power = [System.Windows.Forms.SystemInformation]::PowerStatus
$cost = ''
$profile = [Windows.Networking.Connectivity.NetworkInformation,Windows.Networking.Connectivity,ContentType=WindowsRuntime]::GetInternetConnectionProfile()
if ($profile) { $cost = $profile.GetConnectionCost().NetworkCostType }
($power.PowerLineStatus, [int]($power.BatteryLifePercent * 100), $cost) -join ';'
`;

const readWindows = async ({ run }: MachineSources): Promise<MachineState> => {
  // The script has no double quotes, so it is passed as it is: security products report encoded commands.
  const printed = await run(systemProgram(POWERSHELL), ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_SCRIPT]);
  const [line, percent, cost] = printed.trim().split(';');
  return {
    // .NET limits the charge to 100 %, so an unknown charge (255 %) counts as full.
    ...(line === 'Offline' && Number(percent) <= 100 && { batteryPercent: Number(percent) }),
    isMetered: cost === 'Fixed' || cost === 'Variable',
  };
};

const readMacBattery = async ({ run }: MachineSources): Promise<Partial<MachineState>> => {
  const printed = await run('/usr/bin/pmset', ['-g', 'batt']);
  const percent = /InternalBattery[^\n]*?\t(\d+)%; discharging/.exec(printed)?.[1];
  return percent === undefined ? {} : { batteryPercent: Number(percent) };
};

// On Linux, the property `Metered` of NetworkManager is 1 for yes and 3 for probably yes.

const SUPPLIES = '/sys/class/power_supply';

/**
 * Resolves to the charge of the fullest battery if any discharges. Ignores batteries of mice and keyboards (`Device`).
 */
const readLinuxBattery = async ({ list, readText }: MachineSources): Promise<Partial<MachineState>> => {
  const read = (supply: string, name: string): Promise<string> =>
    readText(`${SUPPLIES}/${supply}/${name}`).then(
      (text) => text.trim(),
      () => '',
    );
  const batteries = await Promise.all(
    (await list(SUPPLIES)).map(async (supply) => ({
      isBattery: (await read(supply, 'type')) === 'Battery' && (await read(supply, 'scope')) !== 'Device',
      isDischarging: (await read(supply, 'status')) === 'Discharging',
      percent: Number.parseInt(await read(supply, 'capacity'), 10),
    })),
  );
  const own = batteries.filter(({ isBattery, percent }) => isBattery && !Number.isNaN(percent));
  if (!own.some(({ isDischarging }) => isDischarging)) return {};
  return { batteryPercent: Math.max(...own.map(({ percent }) => percent)) };
};

const METERED_QUESTION = [
  ...['call', '--system', '--dest', 'org.freedesktop.NetworkManager'],
  ...['--object-path', '/org/freedesktop/NetworkManager', '--method', 'org.freedesktop.DBus.Properties.Get'],
  ...['org.freedesktop.NetworkManager', 'Metered'],
];

const readNetworkManager = async ({ run }: MachineSources): Promise<boolean> =>
  /uint32 [13]\b/.test(await run('gdbus', METERED_QUESTION));

const RUN_MS = 10_000;
const THIS_MACHINE: MachineSources = {
  platform: process.platform,
  run: async (program, args) =>
    (await promisify(execFile)(program, [...args], { timeout: RUN_MS, windowsHide: true })).stdout,
  readText: (path) => readFile(path, 'utf8'),
  list: readdir,
};

/**
 * How long a state is reused. Starting PowerShell costs half a second of processor time, and a charge changes slowly.
 */
const KEPT_MS = 120_000;

/** Creates a reader that queries the system at most every `KEPT_MS`, and again after a call of `forget`. */
export const createMachineReader = (sources = THIS_MACHINE, now = steadyNow) => {
  let last: { readonly atMs: number; readonly state: Promise<MachineState> } | undefined;
  return {
    read: (): Promise<MachineState> => {
      if (last === undefined || now() - last.atMs > KEPT_MS) last = { atMs: now(), state: readMachineState(sources) };
      return last.state;
    },
    forget: (): void => {
      last = undefined;
    },
  };
};
