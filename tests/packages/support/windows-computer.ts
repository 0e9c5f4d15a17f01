/**
 * Windows computers made for tests: copies of the prefix of a Wine, each with a user who has data of the app, a drive D: and no
 * program. A Wine for 32 bit is needed, as every installer is a 32-bit program.
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

/** A command that runs Windows programs as `wine` does. Beside it are its drive `c`, its `root` and `enter`, which runs a command in that. */
const wine = process.env.INSPECTION_DESK_TEST_WINE;

/** Why there can be no such computers here. */
export const whyNoWindows = (): string | undefined => {
  if (wine === undefined) return 'INSPECTION_DESK_TEST_WINE names no Wine';
  const missing = ['root', 'enter', 'c'].filter((name) => !existsSync(join(dirname(wine), name)));
  if (missing.length > 0) return `INSPECTION_DESK_TEST_WINE has no ${missing.join(', ')} beside it`;
  if (spawnSync('which', ['Xvfb']).status !== 0) return 'Xvfb cannot be found';
  return undefined;
};

/** Registry keys by their path from `HKCU` or `HKLM`, with their values as the registry writes them; `@` is the default value. */
type Registry = ReadonlyMap<string, ReadonlyMap<string, string>>;

export type WindowsComputer = {
  /**
   * Runs the lines as a batch file in `C:\Setup`, to the end of every program that they started. Resolves with the exit codes
   * of those that name an `.exe`.
   */
  readonly run: (lines: readonly string[]) => Promise<readonly number[]>;
  /** Files, and folders without any, that a new computer lacks, by their paths in Windows; with their places here. */
  readonly newFiles: () => ReadonlyMap<string, string>;
  /** Values that a new computer lacks or has otherwise. What Wine writes for itself is left out. */
  readonly newValues: () => Registry;
  /** The calls of PowerShell, which Wine lacks, that change the PATH, in their order. `key`: where it is stored. */
  readonly pathChanges: () => readonly { readonly action: string; readonly folder: string; readonly key: string }[];
};

export type WindowsComputers = {
  /** A folder for files with the same path here and in `Z:` of Windows. */
  readonly shared: string;
  /** A new computer that has `setups` in `C:\Setup`. */
  readonly create: (setups: readonly string[]) => WindowsComputer;
  /** Ends what still runs and removes everything. */
  readonly remove: () => void;
};

/** A computer's own folders: where programs and people write. */
const FOLDERS = ['drive_c/Program Files', 'drive_c/ProgramData', 'drive_c/users', 'drive_d'];

/** Caches, what a program may leave in the folder for what is temporary, and an empty folder that Windows makes itself. */
const PASSING = /^drive_c\/users\/[^/]+\/(Temp|AppData\/Local\/(Microsoft|Temp|Programs$))\b/;

/**
 * What Wine writes about itself and the hardware, the colours of its console, which not every run of a batch file stores, and
 * what it will remove at its next start.
 */
const WINES_OWN =
  /^HKCU\\(Software\\Wine|Console)\b|^HKLM\\(System\\CurrentControlSet\\(Control\\(Class|DeviceClasses|Session Manager$)|Enum)|Software\\Microsoft\\Windows NT\\CurrentVersion$)/i;

/** A running program is far below it; what waits for an answer ends here. */
const LONGEST_MS = 120_000;

const USER = 'drive_c/users/root';
const DATA = `${USER}/AppData/Local/Inspection Desk`;

/** Starts a display, and takes over `wine` on the PATH of this process: electron-builder makes the uninstaller with it. */
export const createWindowsComputers = async (): Promise<WindowsComputers> => {
  if (wine === undefined) throw new Error('no Wine');
  const root = join(dirname(wine), 'root');
  const template = dirname(realpathSync(join(dirname(wine), 'c')));
  const place = mkdtempSync(join(root, 'tmp/desk-'));
  // Programs in the root see the place by this path, too.
  const shared = join('/tmp', basename(place));
  symlinkSync(place, shared);
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '800x600x24', '-ac', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = await once(createInterface(display.stdout), 'line');

  /** Runs a command of Wine on the computer whose prefix has this name. */
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
          // An uninstaller goes on in a copy of itself. The registry is written at the end.
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
 * Everything is linked except the registry: Windows' own files take 1.3 GB, and nothing writes to them. The user's folders, which
 * Wine has outside (Desktop), are made new.
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

/** Reads what a prefix has in `FOLDERS` that `template` has not. */
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

/** The registry as Wine stores it: sections of `"name"=value`, with backslashes doubled in paths of keys and in values. */
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

/** From the record of what stands in for PowerShell: `[action|folder|key] command line`. */
const readPathChanges = (prefix: string): ReturnType<WindowsComputer['pathChanges']> => {
  const record = join(prefix, 'drive_c/ps.log');
  if (!existsSync(record)) return [];
  return [...readFileSync(record, 'latin1').matchAll(/^\[(\w+)\|(.+?)\|(.+?)\]/gm)].map(
    ([, action = '', folder = '', key = '']) => ({ action, folder, key }),
  );
};
