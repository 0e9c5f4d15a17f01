/**
 * Creates Windows computers for tests: copies of a Wine prefix. Each computer has a drive D: and a user with data of
 * the app, but not the app itself. Needs a Wine for 32 bit, because every installer is a 32-bit program.
 */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * A command that runs Windows programs as `wine` does. Its folder also has the drive `c`, the `root`, and `enter`,
 * which runs a command in the root.
 */
const wine = process.env.INSPECTION_DESK_TEST_WINE;

/** Why no such computers can be created here; undefined if they can. */
export const whyNoWindows = (): string | undefined => {
  if (wine === undefined) return 'INSPECTION_DESK_TEST_WINE names no Wine';
  const missing = ['root', 'enter', 'c'].filter((name) => !existsSync(join(dirname(wine), name)));
  if (missing.length > 0) return `INSPECTION_DESK_TEST_WINE has no ${missing.join(', ')} beside it`;
  if (spawnSync('which', ['Xvfb']).status !== 0) return 'Xvfb cannot be found';
  return undefined;
};

/**
 * Registry keys by their paths from `HKCU` or `HKLM`, with their values as stored in the registry. `@`: the default
 * value.
 */
type Registry = ReadonlyMap<string, ReadonlyMap<string, string>>;

export type WindowsComputer = {
  /**
   * Runs the lines as a batch file in `C:\Setup`, and waits for every program that they start. Resolves to the exit
   * codes of the lines that contain an `.exe`.
   */
  readonly run: (lines: readonly string[]) => Promise<readonly number[]>;
  /**
   * The files and empty folders that a new computer does not have, by their paths in Windows, with their paths on this
   * machine.
   */
  readonly newFiles: () => ReadonlyMap<string, string>;
  /** The values that a new computer does not have, or has with other data. What Wine writes for itself is left out. */
  readonly newValues: () => Registry;
  /**
   * The calls of PowerShell that change the PATH, in order. Wine has no PowerShell, so a program records them. `key`:
   * the registry key of the PATH.
   */
  readonly pathChanges: () => readonly { readonly action: string; readonly folder: string; readonly key: string }[];
};

export type WindowsComputers = {
  /** A folder for files, with the same path on this machine and on the drive `Z:` of Windows. */
  readonly shared: string;
  /** Creates a computer that has `setups` in `C:\Setup`. */
  readonly create: (setups: readonly string[]) => WindowsComputer;
  /** Ends all programs, and removes all computers. */
  readonly remove: () => void;
};

/** The folders of a computer in which programs and users write. */
const FOLDERS = ['drive_c/Program Files', 'drive_c/ProgramData', 'drive_c/users', 'drive_d'];

/** Paths that are left out: caches, temporary files, and an empty folder that Windows creates. */
const PASSING = /^drive_c\/users\/[^/]+\/(Temp|AppData\/Local\/(Microsoft|Temp|Programs$))\b/;

/**
 * Keys that Wine writes itself: about itself and the hardware, the colours of its console (which not every run of a
 * batch file stores), and what it will remove at its next start.
 */
const WINES_OWN =
  /^HKCU\\(Software\\Wine|Console)\b|^HKLM\\(System\\CurrentControlSet\\(Control\\(Class|DeviceClasses|Session Manager$)|Enum)|Software\\Microsoft\\Windows NT\\CurrentVersion$)/i;

/** The timeout of a batch file. A program usually takes far less time. A program that waits for input is ended. */
const LONGEST_MS = 120_000;

const USER = 'drive_c/users/root';
const DATA = `${USER}/AppData/Local/Inspection Desk`;

/**
 * Starts a display, and replaces `wine` on the PATH of this process, because electron-builder creates the uninstaller
 * with it.
 */
export const createWindowsComputers = async (): Promise<WindowsComputers> => {
  if (wine === undefined) throw new Error('no Wine');
  const root = join(dirname(wine), 'root');
  const template = dirname(realpathSync(join(dirname(wine), 'c')));
  const place = mkdtempSync(join(root, 'tmp/desk-'));
  // Programs in the root find the folder at this path, too.
  const shared = join('/tmp', basename(place));
  symlinkSync(place, shared);
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '800x600x24', '-ac', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = await once(createInterface(display.stdout), 'line');

  /** Returns the command that runs `args` on the computer with this prefix. */
  const commandFor = (name: string, ...args: readonly string[]) => {
    const variables = [`WINEPREFIX=${shared}/${name}`, `DISPLAY=:${number}`, 'WINEDLLOVERRIDES=winemenubuilder.exe=d'];
    return [join(dirname(wine), 'enter'), 'env', ...variables, ...args] as const;
  };
  const prefixes: string[] = [];
  const createPrefix = (): string => {
    const name = `computer-${prefixes.length + 1}`;
    prefixes.push(name);
    copyPrefix(template, join(place, name));
    return name;
  };

  const packing = createPrefix();
  const isNew = newFilesIn(join(place, packing));
  const original = readRegistry(join(place, packing));
  const tools = join(place, 'bin');
  mkdirSync(tools);
  const quoted = commandFor(packing, 'wine').map((part) => `'${part}'`);
  writeFileSync(join(tools, 'wine'), `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`);
  chmodSync(join(tools, 'wine'), 0o755);
  const { PATH } = process.env;
  process.env.PATH = `${tools}:${PATH}`;

  return {
    shared,
    create: (setups) => {
      const name = createPrefix();
      const prefix = join(place, name);
      for (const folder of ['drive_c/Setup', 'drive_d', DATA]) mkdirSync(join(prefix, folder), { recursive: true });
      symlinkSync('../drive_d', join(prefix, 'dosdevices/d:'));
      writeFileSync(join(prefix, DATA, 'ledger.sqlite'), 'what was uploaded');
      for (const setup of setups) linkSync(realpathSync(setup), join(prefix, 'drive_c/Setup', basename(setup)));
      const command = (...args: readonly string[]) => {
        const [program, ...others] = commandFor(name, ...args);
        return new Promise<string>((resolve, reject) => {
          execFile(program, others, { timeout: LONGEST_MS, killSignal: 'SIGKILL' }, (error, output) =>
            error?.killed ? reject(error) : resolve(output),
          );
        });
      };
      return {
        run: async (lines) => {
          const batch = lines.flatMap((line) =>
            /\.exe\b/.test(line) ? [line, 'echo ended with %errorlevel%'] : [line],
          );
          writeFileSync(
            join(prefix, 'drive_c/Setup/run.cmd'),
            ['@echo off', 'cd /d C:\\Setup', ...batch, ''].join('\r\n'),
          );
          const output = await command('wine', 'cmd', '/c', 'C:\\Setup\\run.cmd');
          // Waits until Wine ends: an uninstaller continues in a copy of itself, and Wine writes the registry only
          // then.
          await command('wineserver', '-w');
          rmSync(join(prefix, 'drive_c/Setup/run.cmd'));
          return [...output.matchAll(/ended with (\d+)/g)].map(([, code]) => Number(code));
        },
        newFiles: () => isNew(prefix),
        newValues: () => differences(original, readRegistry(prefix)),
        pathChanges: () => readPathChanges(prefix),
      };
    },
    remove: () => {
      for (const name of prefixes) {
        const [program, ...args] = commandFor(name, 'wineserver', '-k');
        spawnSync(program, args, { timeout: LONGEST_MS });
      }
      display.kill();
      if (PATH !== undefined) process.env.PATH = PATH;
      rmSync(shared);
      rmSync(place, { recursive: true });
    },
  };
};

/**
 * Copies a prefix. All files except the registry are linked, because Windows' own files take 1.3 GB and nothing writes
 * to them. The user's folders that Wine keeps outside of the prefix (Desktop) are created.
 */
const copyPrefix = (template: string, copy: string): void => {
  execFileSync('cp', ['--archive', '--link', template, copy]);
  for (const name of readdirSync(copy).filter((one) => one.endsWith('.reg'))) {
    rmSync(join(copy, name));
    copyFileSync(join(template, name), join(copy, name));
  }
  const links = execFileSync('find', [join(copy, USER), '-type', 'l', '-print0'], { encoding: 'utf8' });
  for (const link of links.split('\0').filter(Boolean)) {
    rmSync(link);
    mkdirSync(link);
  }
};

/** Returns a function that lists what a prefix has in `FOLDERS` and `template` does not have. */
const newFilesIn = (template: string) => {
  const listed = (prefix: string): readonly string[] =>
    FOLDERS.filter((folder) => existsSync(join(prefix, folder))).flatMap((folder) => {
      const entries = readdirSync(join(prefix, folder), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => !entry.isDirectory() || readdirSync(join(entry.parentPath, entry.name)).length === 0)
        .map((entry) => join(entry.parentPath, entry.name).slice(prefix.length + 1));
    });
  const known = new Set(listed(template));
  return (prefix: string): ReadonlyMap<string, string> => {
    const found = listed(prefix).filter((path) => !known.has(path) && !PASSING.test(path));
    return new Map(found.sort().map((path) => [windowsPath(path), join(prefix, path)]));
  };
};

const windowsPath = (path: string): string =>
  path.replace(/^drive_(\w)/, (_, drive: string) => `${drive.toUpperCase()}:`).replaceAll('/', '\\');

/**
 * Reads the registry as Wine stores it: sections with lines `"name"=value`. In paths of keys and in values, backslashes
 * are doubled.
 */
const readRegistry = (prefix: string): Registry => {
  const keys = new Map<string, Map<string, string>>();
  for (const [name, hive] of [
    ['user.reg', 'HKCU'],
    ['system.reg', 'HKLM'],
  ] as const)
    for (const section of readFileSync(join(prefix, name), 'latin1').split(/^(?=\[)/m)) {
      const key = /^\[(.+?)\]/.exec(section)?.[1];
      if (key === undefined) continue;
      const values = section.matchAll(/^(?:@|"((?:[^"\\]|\\.)*)")=(?:"((?:[^"\\]|\\.)*)"|(.+))$/gm);
      keys.set(
        `${hive}\\${unescaped(key)}`,
        new Map(
          [...values].map(([, value = '@', text, other = '']) => [
            unescaped(value),
            text === undefined ? other : unescaped(text),
          ]),
        ),
      );
    }
  return keys;
};

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');

const differences = (before: Registry, after: Registry): Registry => {
  const changed = [...after].map(([key, values]) => {
    const old = before.get(key);
    return [key, new Map([...values].filter(([name, value]) => old?.get(name) !== value))] as const;
  });
  return new Map(
    changed.filter(([key, values]) => !WINES_OWN.test(key) && values.size > 0).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
};

/** Reads the record of the program that replaces PowerShell. Its lines are `[action|folder|key] command line`. */
const readPathChanges = (prefix: string): ReturnType<WindowsComputer['pathChanges']> => {
  const record = join(prefix, 'drive_c/ps.log');
  if (!existsSync(record)) return [];
  return [...readFileSync(record, 'latin1').matchAll(/^\[(\w+)\|(.+?)\|(.+?)\]/gm)].map(
    ([, action = '', folder = '', key = '']) => ({ action, folder, key }),
  );
};
