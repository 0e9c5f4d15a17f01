/**
 * Runs the installer for Windows. docs/windows-installer.md has the commands, and lists what each of them leaves on a
 * computer. The results are compared with that page, so this test fails if the installer breaks a promise to
 * administrators.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { canCompileSetup, pack } from './support/pack.ts';
import {
  createWindowsComputers,
  type WindowsComputer,
  type WindowsComputers,
  whyNoWindows,
} from './support/windows-computer.ts';

const problem = canCompileSetup ? whyNoWindows() : 'ELECTRON_BUILDER_NSIS_DIR names no makensis';

/** The two versions that the page uses. */
const OLDER = '1.1.0-beta.2';
const NEWER = '1.1.0';

/** `folder`: the unpacked program. `setup`: its installer. */
type Build = { readonly version: string; readonly folder: string; readonly setup: string };

let computers: WindowsComputers;
const builds: Build[] = [];

beforeAll(async () => {
  if (problem !== undefined) return;
  computers = await createWindowsComputers();
  for (const version of [OLDER, NEWER]) {
    const home = join(computers.shared, version);
    const config = { extraMetadata: { version } };
    const { output, folder } = await pack({ platform: 'win32', target: 'nsis', config, home });
    builds.push({ version, folder, setup: join(output, `Inspection-Desk-${version}-win-x64.exe`) });
  }
}, 300_000);

afterAll(() => computers?.remove());

/** A line of the page, with the indented lines below it. */
type Entry = string;

type Part = {
  readonly title: string;
  readonly commands: readonly string[];
  /** The exit code of each command that starts a program. */
  readonly codes: readonly number[];
  readonly entries: readonly Entry[];
};

const readPage = (): readonly Part[] => {
  const page = readFileSync(new URL('../../docs/windows-installer.md', import.meta.url), 'utf8');
  const parts: Part[] = [];
  for (const [, title = '', block = ''] of page.matchAll(/^## (.+)\n\n```\n([\s\S]*?)\n```$/gm)) {
    const { commands = [], entries = [] } = Object.groupBy(block.split(/\n(?! )/), (entry) =>
      entry.startsWith('> ') ? 'commands' : 'entries',
    );
    parts.push({ title, ...readCommands(commands), entries: resolved(entries, parts) });
  }
  return parts;
};

/** Parses lines of the form `> command`, with `→ code` after the command if its exit code is not 0. */
const readCommands = (lines: readonly string[]): Pick<Part, 'commands' | 'codes'> => {
  const read = lines.map((line) => /^> (.+?)(?: +→ (\d+))?$/.exec(line) ?? []);
  return {
    commands: read.map(([, command = '']) => command),
    codes: read.flatMap(([, command = '', code = '0']) => (command.includes('.exe') ? [Number(code)] : [])),
  };
};

/** Replaces `as in TITLE` with the entries of that part, without the entries after `but not`. */
const resolved = (entries: readonly Entry[], parts: readonly Part[]): readonly Entry[] => {
  const [first = ''] = entries;
  const title = /^as in (.+)$/.exec(first)?.[1];
  if (title === undefined) return entries;
  const base = parts.find((part) => part.title === title)?.entries;
  if (base === undefined) throw new Error(`no part "${title}" before its use`);
  const gone = entries.flatMap((entry) => /^but not ([\s\S]+)$/.exec(entry)?.[1] ?? []);
  for (const entry of gone) if (!base.includes(entry)) throw new Error(`"${title}" has no "${entry}"`);
  const added = entries.slice(1).filter((entry) => !entry.startsWith('but not '));
  return [...base.filter((entry) => !gone.includes(entry)), ...added];
};

test.concurrent.for(readPage())('$title', async ({ commands, codes, entries }, { skip, expect }) => {
  skip(problem !== undefined, problem);
  const computer = create();
  expect(await computer.run(commands)).toEqual(codes);
  const found = [...describeFiles(computer.newFiles()), ...describeRegistry(computer), ...describePath(computer)];
  const withProgram = found.map((entry) => {
    const folder = /^PROGRAM is (.+?), version/.exec(found[0] ?? '')?.[1];
    return folder === undefined || entry === found[0] ? entry : entry.replaceAll(folder, 'PROGRAM');
  });
  expect(withProgram.sort()).toEqual([...entries].sort());
});

test.concurrent('versions are compared as semantic versions', async ({ skip, expect }) => {
  skip(problem !== undefined, problem);
  const computer = create();
  /** Installs OLDER on a computer on which `version` seems to be installed. */
  const over = (version: string): readonly string[] => [
    `reg add "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${APP_GUID}" /v DisplayVersion /d ${version} /f /reg:64`,
    `Inspection-Desk-${OLDER}-win-x64.exe /S`,
  ];
  const versions = ['1.1.0-beta.1', '1.1.0-alpha.3', '1.1.0-beta.10', '1.1.0-rc.1', '1.1.0', '1.10.0'];
  expect(await computer.run(versions.flatMap(over))).toEqual([0, 0, ...Array(4).fill(REFUSED)]);
});

/** The error code ERROR_PRODUCT_VERSION of Windows. */
const REFUSED = 1638;

/** The GUID that electron-builder derives from the id of the app. */
const APP_GUID = '34f8bba1-b88e-5fe4-b042-6874469a0be8';

const create = (): WindowsComputer => computers.create(builds.map(({ setup }) => setup));

/** The folders of Windows, by the variables with which administrators name them. */
const folders: readonly (readonly [path: string, name: string])[] = [
  ['C:\\users\\root\\AppData\\Local', '%LOCALAPPDATA%'],
  ['C:\\users\\root\\AppData\\Roaming', '%APPDATA%'],
  ['C:\\users\\root', '%USERPROFILE%'],
  ['C:\\users\\Public', '%PUBLIC%'],
  ['C:\\ProgramData', '%ProgramData%'],
  ['C:\\Program Files', '%ProgramFiles%'],
];

const named = (text: string): string => folders.reduce((done, [path, name]) => done.replaceAll(path, name), text);

const EXECUTABLE = '\\Inspection Desk.exe';
const UNINSTALLER = '\\Uninstall Inspection Desk.exe';

/**
 * Returns one entry for a complete program, which consists of each file of a build and the uninstaller, and one entry
 * for each other file.
 */
const describeFiles = (files: ReadonlyMap<string, string>): readonly Entry[] => {
  const paths = [...files.keys()];
  const folder = paths.find((path) => path.endsWith(EXECUTABLE))?.slice(0, -EXECUTABLE.length);
  const inside = paths.filter((path) => path.startsWith(`${folder}\\`));
  const build = folder && builds.find((one) => isWhole(files, inside, folder, one));
  if (!build) return paths.map(named);
  return [
    `PROGRAM is ${named(folder)}, version ${build.version}`,
    ...paths.filter((path) => !inside.includes(path)).map(named),
  ];
};

const isWhole = (
  files: ReadonlyMap<string, string>,
  inside: readonly string[],
  folder: string,
  build: Build,
): boolean => {
  const entries = readdirSync(build.folder, { recursive: true, withFileTypes: true });
  const packed = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const isThere = (path: string): boolean => {
    const copy = files.get(`${folder}\\${relative(build.folder, path).replaceAll('/', '\\')}`);
    return copy !== undefined && readFileSync(copy).equals(readFileSync(path));
  };
  return inside.length === packed.length + 1 && inside.includes(folder + UNINSTALLER) && packed.every(isThere);
};

/** Values that Windows only shows, and values that the installer stores for itself. */
const BESIDES =
  /^(Comments|DisplayIcon|EstimatedSize|HelpLink|KeepShortcuts|NoModify|NoRepair|Publisher|Readme|ShortcutName|URLInfoAbout|URLUpdateInfo)$/;

const describeRegistry = (computer: WindowsComputer): readonly Entry[] =>
  [...computer.newValues()].map(([key, values]) => {
    const shown = [...values].filter(([name]) => !BESIDES.test(name));
    const lines = shown.map(([name, value]) => `  ${name === '@' ? '(default)' : name} = ${named(value)}`.trimEnd());
    return [key, ...lines].join('\n');
  });

/** Returns the folders that are on the PATH after all changes. */
const describePath = (computer: WindowsComputer): readonly Entry[] =>
  computer.pathChanges().reduce<readonly Entry[]>((entries, { action, folder, key }) => {
    const entry = `PATH of the ${key.startsWith('HKCU') ? 'user' : 'computer'}: ${named(folder)}`;
    const others = entries.filter((one) => one !== entry);
    return action === 'add' ? [...others, entry] : others;
  }, []);
