/**
 * Writes a folder that electron-builder accepts as an unpacked Electron. It has no program, only what the packager
 * renames and edits: a fuse wire, the version of an executable for Windows, the bundles of macOS, languages.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

export type PackedPlatform = 'linux' | 'win32' | 'darwin';

type Files = Readonly<Record<string, string | Buffer>>;

/** The text before the fuses of every Electron. The wire's version and the number of fuses follow it. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSES = 8;

const fuseWire = Buffer.concat([Buffer.from(SENTINEL), Buffer.from([1, FUSES]), Buffer.from('0'.repeat(FUSES))]);

const windowsProgram = (): Buffer => {
  const program = NtExecutable.createEmpty();
  const resources = NtExecutableResource.from(program, true);
  const version = Resource.VersionInfo.createEmpty();
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.concat([Buffer.from(program.generate()), fuseWire]);
};

const bundle = (path: string, executable: string): Files => ({
  [`${path}/Contents/Info.plist`]: `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>CFBundleExecutable</key><string>${executable}</string></dict></plist>`,
  [`${path}/Contents/MacOS/${executable}`]: '',
});

/** The languages of Chromium: those of the app, and one more. */
const locales = (pathOf: (language: string) => string): Files =>
  Object.fromEntries(['de', 'en-US', 'fr', 'sv'].map((language) => [pathOf(language), '']));

const frameworks = 'Electron.app/Contents/Frameworks';

const frameworkResources = `${frameworks}/Electron Framework.framework/Versions/A/Resources`;
const macName = (language: string): string => `${language.replace('en-US', 'en')}.lproj`;

const helpers = ['', ' (GPU)', ' (Plugin)', ' (Renderer)']
  .map((suffix) => `Electron Helper${suffix}`)
  .map((name) => bundle(`${frameworks}/${name}.app`, name));

const filesFor: Readonly<Record<PackedPlatform, () => Files>> = {
  linux: () => ({ electron: fuseWire, 'resources/.keep': '', ...locales((language) => `locales/${language}.pak`) }),
  win32: () => ({
    'electron.exe': windowsProgram(),
    'resources/.keep': '',
    ...locales((language) => `locales/${language}.pak`),
  }),
  darwin: () => ({
    ...bundle('Electron.app', 'Electron'),
    ...Object.assign({}, ...helpers),
    [`${frameworks}/Electron Framework.framework/Electron Framework`]: fuseWire,
    ...locales((language) => `Electron.app/Contents/Resources/${macName(language)}/.keep`),
    ...locales((language) => `${frameworkResources}/${macName(language)}/locale.pak`),
  }),
};

export const writeStubElectron = (folder: string, platform: PackedPlatform): void => {
  for (const [path, content] of Object.entries({ LICENSE: 'Electron', ...filesFor[platform]() })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content, { mode: 0o755 });
  }
};
