/**
 * Creates a user of a Linux desktop without GNOME or KDE for a test: openbox on a separate display, a keyring, a
 * browser.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

export type DesktopUser = {
  readonly home: string;
  /** Returns a command that runs as this user in the session; with `display`, on its display. */
  readonly command: (args: readonly string[], display?: boolean) => readonly [string, ...string[]];
  /** Ends all processes of the user, and removes the user with the home directory. */
  readonly remove: () => void;
};

const NAME = 'desk-test';
const HOME = `/home/${NAME}`;

const programs = ['chromium', 'dbus-run-session', 'gnome-keyring-daemon', 'openbox', 'setpriv', 'xdg-open', 'Xvfb'];

/** Why no such user can be created here; undefined if one can. */
export const whyNoDesktopUser = (): string | undefined => {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version')) return 'this is not Debian';
  if (process.getuid?.() !== 0) return 'only root installs packages';
  const missing = programs.filter((program) => spawnSync('which', [program]).status !== 0);
  return missing.length > 0 ? `${missing.join(', ')} cannot be found` : undefined;
};

/** A shell script that starts the session, prints its display and its bus, and runs until standard input ends. */
const SESSION = `
  Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>.display >/dev/null 2>&1 &
  until [ -s .display ]; do sleep 0.05; done
  export DISPLAY=":$(cat .display)"
  rm .display
  echo password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
  openbox >/dev/null 2>&1 &
  echo "$DISPLAY $DBUS_SESSION_BUS_ADDRESS"
  cat
`;

export const createDesktopUser = async (): Promise<DesktopUser> => {
  execFileSync('useradd', ['--create-home', NAME]);
  const user = ['setpriv', `--reuid=${NAME}`, `--regid=${NAME}`, '--init-groups', 'env', '-i', '-C', HOME] as const;
  const as = [...user, `HOME=${HOME}`, 'PATH=/usr/bin:/bin', 'LANG=C.UTF-8'] as const;
  const [program, ...args] = [...as, 'dbus-run-session', '--', 'sh', '-c', SESSION] as const;
  const session = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = await once(createInterface(session.stdout), 'line');
  const [display, bus] = String(line).split(' ');
  return {
    home: HOME,
    command: (command, hasDisplay = true) => [
      ...as,
      `DBUS_SESSION_BUS_ADDRESS=${bus}`,
      ...(hasDisplay ? [`DISPLAY=${display}`] : []),
      ...command,
    ],
    remove: () => {
      spawnSync('pkill', ['-KILL', '--uid', NAME]);
      execFileSync('userdel', ['--force', '--remove', NAME], { stdio: 'ignore' });
    },
  };
};
