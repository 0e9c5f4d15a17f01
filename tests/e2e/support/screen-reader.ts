/** Records what a screen reader speaks, from the accessibility bus of Linux (AT-SPI). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('spoken.py', import.meta.url));

/** The Python of the system. Other Pythons do not find its packages. */
const python = '/usr/bin/python3';

/** Why no speech can be recorded here; undefined if it can. */
export const whyDeaf = (): string | undefined => {
  if (process.platform !== 'linux') return 'AT-SPI is of Linux';
  if (spawnSync(python, ['-c', 'import pyatspi']).status !== 0) return 'python3-pyatspi is not installed';
  return spawnSync('dbus-daemon', ['--version']).status === 0 ? undefined : 'dbus-daemon is not installed';
};

export type ScreenReader = {
  /** The environment for the app to be recorded. */
  readonly env: Readonly<Record<string, string>>;
  /** The lines that were spoken so far. */
  readonly spoken: readonly string[];
  /** Adds a line that is not spoken, such as the name of a step. */
  readonly note: (text: string) => void;
  readonly close: () => Promise<void>;
};

type Said = {
  readonly kind: 'ready' | 'focus' | 'announcement';
  /** The address of the accessibility bus. */
  readonly bus?: string;
  readonly name?: string;
  readonly role?: string;
  readonly states?: readonly string[];
  readonly description?: string;
};

const lineOf = ({ kind, name = '', role = '', states = [], description = '' }: Said): string =>
  kind === 'announcement' ? `(${name})` : [name || 'NO NAME', role, ...states, description].filter(Boolean).join(', ');

const ended = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill();
  });

/** Starts recording on a separate session bus. */
export const startScreenReader = async (): Promise<ScreenReader> => {
  // The socket of the accessibility bus is below this folder. By default, sessions on the same screen share the socket.
  const XDG_RUNTIME_DIR = await mkdtemp(join(tmpdir(), 'screen-reader-'));
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    env: { ...process.env, XDG_RUNTIME_DIR },
  });
  const address = await firstLine(bus);
  const env = { DBUS_SESSION_BUS_ADDRESS: address, ACCESSIBILITY_ENABLED: '1' };
  const listener = spawn(python, [script], { env: { ...process.env, ...env } });
  const spoken: string[] = [];
  const lines = createInterface({ input: listener.stdout });
  const accessibilityBus = await new Promise<string>((resolve, reject) => {
    listener.once('exit', () => reject(new Error('the accessibility bus could not be reached')));
    lines.on('line', (line) => {
      const said: Said = JSON.parse(line);
      if (said.kind === 'ready') resolve(said.bus ?? '');
      // The bus can report the same focus several times.
      else if (lineOf(said) !== spoken.at(-1)) spoken.push(lineOf(said));
    });
  });
  return {
    env: { ...env, AT_SPI_BUS_ADDRESS: accessibilityBus },
    spoken,
    note: (text) => void spoken.push(`# ${text}`),
    close: async () => {
      await ended(listener);
      await ended(bus);
      await rm(XDG_RUNTIME_DIR, { recursive: true, force: true });
    },
  };
};

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve);
  });
