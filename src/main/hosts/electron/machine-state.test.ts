import { expect, test } from 'vitest';
import { createMachineReader } from './machine-state.ts';

type MachineSources = NonNullable<Parameters<typeof createMachineReader>[0]>;

const none = async (): Promise<never> => {
  throw new Error('not found');
};
const machine = (sources: Partial<MachineSources>): MachineSources => ({
  platform: 'linux',
  run: none,
  readText: none,
  list: none,
  ...sources,
});
const printing = (platform: NodeJS.Platform, text: string): MachineSources =>
  machine({ platform, run: async () => text });

const stateOf = (sources: MachineSources) => createMachineReader(sources).read();

test('reads charge and cost of the connection from Windows', async () => {
  expect(await stateOf(printing('win32', 'Offline;18;Variable\r\n'))).toEqual({
    batteryPercent: 18,
    isMetered: true,
  });
  expect(await stateOf(printing('win32', 'Offline;100;Fixed\r\n'))).toMatchObject({ isMetered: true });
  expect(await stateOf(printing('win32', 'Online;18;Unrestricted\r\n'))).toEqual({ isMetered: false });
  // A desktop computer, without a network.
  expect(await stateOf(printing('win32', 'Unknown;255;\r\n'))).toEqual({ isMetered: false });
});

test('runs the PowerShell of Windows, not one in the current folder', async () => {
  const programs: string[] = [];
  const run = async (program: string): Promise<string> => {
    programs.push(program);
    return '';
  };
  await stateOf(machine({ platform: 'win32', run }));
  expect(programs).toEqual([expect.stringMatching(/^[A-Z]:\\.+\\System32\\WindowsPowerShell\\/i)]);
});

test('reads the charge from macOS while the battery is being discharged', async () => {
  const battery = (state: string): string =>
    `Now drawing from 'Battery Power'\n -InternalBattery-0 (id=4653155)\t${state}; 1:12 remaining present: true\n`;
  expect(await stateOf(printing('darwin', battery('18%; discharging')))).toMatchObject({ batteryPercent: 18 });
  expect(await stateOf(printing('darwin', battery('18%; charging')))).toEqual({ isMetered: false });
  expect(await stateOf(printing('darwin', "Now drawing from 'AC Power'\n"))).toEqual({ isMetered: false });
});

const supplies = (files: Readonly<Record<string, string>>): MachineSources =>
  machine({
    list: async () => [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))],
    readText: async (path) => files[path.replace('/sys/class/power_supply/', '')] ?? none(),
  });

test('reads the charge from Linux, but not that of a mouse', async () => {
  const laptop = { 'AC/type': 'Mains\n', 'BAT0/type': 'Battery\n', 'BAT0/capacity': '18\n' };
  expect(await stateOf(supplies({ ...laptop, 'BAT0/status': 'Discharging\n' }))).toEqual({
    batteryPercent: 18,
    isMetered: false,
  });
  expect(await stateOf(supplies({ ...laptop, 'BAT0/status': 'Charging\n' }))).toEqual({ isMetered: false });
  const mouse = {
    'hid/type': 'Battery\n',
    'hid/scope': 'Device\n',
    'hid/capacity': '5\n',
    'hid/status': 'Discharging\n',
  };
  expect(await stateOf(supplies(mouse))).toEqual({ isMetered: false });
  const two = { 'BAT1/type': 'Battery\n', 'BAT1/capacity': '80\n', 'BAT1/status': 'Unknown\n' };
  expect(await stateOf(supplies({ ...laptop, 'BAT0/status': 'Discharging\n', ...two }))).toMatchObject({
    batteryPercent: 80,
  });
});

test.each([
  [0, false],
  [1, true],
  [2, false],
  [3, true],
  [4, false],
])("takes NetworkManager's word for a metered connection: %d", async (value, isMetered) => {
  expect(await stateOf(printing('linux', `(<uint32 ${value}>,)\n`))).toEqual({ isMetered });
});

test('without an answer of the system nothing is spared', async () => {
  for (const platform of ['win32', 'darwin', 'linux', 'freebsd'] as const)
    expect(await stateOf(machine({ platform }))).toEqual({ isMetered: false });
});

test('asks the system again after two minutes, or when the power has changed', async () => {
  let nowMs = 0;
  let percent = 0;
  const run = async (): Promise<string> => {
    percent += 1;
    return `Offline;${percent};`;
  };
  const reader = createMachineReader(machine({ platform: 'win32', run }), () => nowMs);
  expect(await reader.read()).toMatchObject({ batteryPercent: 1 });
  nowMs = 100_000;
  expect(await reader.read()).toMatchObject({ batteryPercent: 1 });
  nowMs = 121_000;
  expect(await reader.read()).toMatchObject({ batteryPercent: 2 });
  reader.forget();
  expect(await reader.read()).toMatchObject({ batteryPercent: 3 });
});
