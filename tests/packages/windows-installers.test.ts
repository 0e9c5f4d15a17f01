/** What the installers for Windows do beyond unpacking: as scripts, because they run on Windows only. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import addMsiParts from '../../scripts/msi-parts.mjs';
import { pack } from './support/pack.ts';

const onWindows = process.platform === 'win32';
/** Elsewhere electron-builder is told where makensis is, because it cannot be downloaded everywhere. */
const canCompile = onWindows || process.env.ELECTRON_BUILDER_NSIS_DIR !== undefined;

test.skipIf(!canCompile)('B24: compiles the installer for one user or all, with the scheme and the PATH', async () => {
  const { output } = await pack({ platform: 'win32', target: 'nsis' });
  const installer = join(output, 'Inspection-Desk-0.1.0-win-x64.exe');
  // Not compressed here, so that the script can be read: its strings are UTF-16, at any byte.
  const script = readFileSync(installer);
  for (const text of [
    'Software\\Classes\\com.inspectiondesk.app',
    'URL Protocol',
    '\\shell\\open\\command',
    '"--" "%1"',
    'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
    'HKCU:\\Environment',
    // A PATH that cannot be read is left alone.
    "$ErrorActionPreference = 'Stop'; $old =",
    "GetValue('Path', '', 'DoNotExpandEnvironmentNames')",
    'allusers',
    // The folder for policies: administrators write, users read.
    'O:BAG:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)',
    // A newer version is not replaced, and says so in every language.
    'DisplayVersion',
    'It is newer than 0.1.0, so nothing was changed.',
    'Det är nyare än 0.1.0',
    'ist neuer als 0.1.0',
    // The folder of the program is compared with those of data.
    'kernel32::GetFullPathName',
  ])
    expect(script.includes(text, 'utf16le'), text).toBe(true);
  const listed = spawnSync(process.env.ELECTRON_BUILDER_7ZIP_PATH ?? '7z', ['l', installer], { encoding: 'utf8' });
  for (const file of [
    'Inspection Desk.exe',
    'bin/inspection-desk.cmd',
    'resources/app.asar',
    'THIRD-PARTY-NOTICES.txt',
  ])
    expect(listed.stdout).toContain(file);
});

/**
 * A command that runs Windows programs, as `wine` does; its drive C: is the folder `c` beside it. On Windows itself nothing is
 * installed by a test.
 */
const wine = process.env.INSPECTION_DESK_TEST_WINE;

test.skipIf(!canCompile || wine === undefined)(
  'B24: the installer replaces older versions and refuses to replace newer ones',
  { timeout: 3_600_000 },
  async () => {
    const windows = (...args: readonly string[]) => spawnSync(wine ?? '', args, { encoding: 'utf8' });
    const listed = 'Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall';
    /** The key and the version of the installed program, of the user or the computer. */
    const installed = () => {
      const entries = ['HKCU', 'HKLM'].flatMap((root) =>
        windows('reg', 'query', `${root}\\${listed}`, '/s', '/reg:64').stdout.split(/^(?=HKEY_)/m),
      );
      const entry = entries.find((text) => text.includes('Inspection Desk.exe'));
      const version = /DisplayVersion\s+REG_SZ\s+(\S+)/.exec(entry ?? '')?.[1];
      return { key: /^\S+/.exec(entry ?? '')?.[0] ?? '', version };
    };
    const versions = ['1.0.0', '1.2.0-beta.2', '1.2.0-beta.10', '1.2.0', '1.10.0'] as const;
    for (const version of versions) {
      const { output } = await pack({ platform: 'win32', target: 'nsis', config: { extraMetadata: { version } } });
      copyFileSync(
        join(output, `Inspection-Desk-${version}-win-x64.exe`),
        join(dirname(wine ?? ''), 'c', `desk-${version}.exe`),
      );
    }
    const install = (version: (typeof versions)[number], ...options: readonly string[]) => [
      windows(`C:\\desk-${version}.exe`, '/S', ...options).status,
      installed().version,
    ];
    // 1638 is ERROR_PRODUCT_VERSION, of which a status here has the last eight bits.
    const refused = 1638 % 256;
    for (const options of [[], ['/allusers']]) {
      expect(install('1.2.0-beta.2', ...options)).toEqual([0, '1.2.0-beta.2']);
      expect(install('1.2.0-beta.2', ...options)).toEqual([0, '1.2.0-beta.2']);
      expect(install('1.0.0', ...options)).toEqual([refused, '1.2.0-beta.2']);
      expect(install('1.2.0-beta.10', ...options)).toEqual([0, '1.2.0-beta.10']);
      expect(install('1.2.0-beta.2', ...options)).toEqual([refused, '1.2.0-beta.10']);
      expect(install('1.2.0', ...options)).toEqual([0, '1.2.0']);
      expect(install('1.2.0-beta.10', ...options)).toEqual([refused, '1.2.0']);
      expect(install('1.10.0', ...options)).toEqual([0, '1.10.0']);
      expect(install('1.2.0', ...options)).toEqual([refused, '1.10.0']);
      windows('reg', 'delete', installed().key, '/f', '/reg:64');
    }
  },
);

test('B24: adds the scheme, the PATH, a folder for policies, Windows 10 and its own mark to the MSI', async () => {
  const stop = new Error('seen');
  let project = '';
  let packageType = '';
  const msiProjectCreated = async (path: string): Promise<void> => {
    await addMsiParts(path);
    project = readFileSync(path, 'utf8');
    packageType = readFileSync(join(dirname(path), 'package-type'), 'utf8');
    throw stop;
  };
  await expect(pack({ platform: 'win32', target: 'msi', config: { msiProjectCreated } })).rejects.toBe(stop);

  /** The only part of the project that `pattern` fits; its groups. */
  const only = (pattern: RegExp): readonly string[] => {
    const found = [...project.matchAll(new RegExp(pattern, 'g'))];
    expect(found, pattern.source).toHaveLength(1);
    return found[0]?.slice(1) ?? [];
  };
  const folderOf = (id = ''): string | undefined => only(new RegExp(`<Directory Id="${id}" Name="([^"]+)"`))[0];

  only(/<Property Id="ALLUSERS" Secure="yes" Value="1"\/>/);
  only(/<RegistryKey Root="HKLM" Key="Software\\Classes\\com\.inspectiondesk\.app">/);
  expect(only(/Key="shell\\open\\command" Type="string" Value="([^"]+)"/)).toEqual([
    '&quot;[APPLICATIONFOLDER]Inspection Desk.exe&quot; &quot;--&quot; &quot;%1&quot;',
  ]);
  const [path] = only(
    /<Environment [^>]*Name="PATH" Value="\[([^\]]+)\]" Action="set" Part="last" Permanent="no" System="yes"/,
  );
  expect(folderOf(path)).toBe('APPLICATIONFOLDER:\\bin\\');
  const [policy] = only(/<Directory Id="CommonAppDataFolder">\s*<Directory Id="([^"]+)" Name="Inspection Desk"\/>/);
  only(
    new RegExp(
      `<Component [^>]*Directory="${policy}"[^>]*>\\s*<CreateFolder>\\s*<PermissionEx Sddl="O:BAG:BAD:P\\(A;OICI;FA;;;SY\\)` +
        `\\(A;OICI;FA;;;BA\\)\\(A;OICI;0x1200a9;;;BU\\)"/>`,
    ),
  );
  const [resources] = only(/<Component Directory="([^"]+)">\s*<File Name="package-type"/);
  expect(folderOf(resources)).toBe('APPLICATIONFOLDER:\\resources\\');
  expect(packageType).toBe('msi');
  expect(only(/<Condition Message="([^"]+)"><!\[CDATA\[Installed OR (\w+)\]\]>/)).toEqual([
    'Windows 10 or later is required',
    only(/<Property Id="(\w+)">\s*<RegistrySearch [^>]*Name="CurrentMajorVersionNumber"/)[0],
  ]);
});
