/**
 * What the installers for Windows do besides unpacking, according to their scripts. windows-setup.test.ts runs the NSIS
 * installer where Wine is available.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import addMsiParts from '../../scripts/msi-parts.mjs';
import { canCompileSetup, pack } from './support/pack.ts';

test.skipIf(!canCompileSetup)(
  'B24: compiles the installer for one user or all, with the scheme and the PATH',
  async () => {
    const { output } = await pack({ platform: 'win32', target: 'nsis' });
    const installer = join(output, 'Inspection-Desk-0.1.0-win-x64.exe');
    // The installer is not compressed here, so that its script can be searched. Its strings are UTF-16, and some begin
    // at odd offsets.
    const script = readFileSync(installer);
    for (const text of [
      'Software\\Classes\\com.inspectiondesk.app',
      'URL Protocol',
      '\\shell\\open\\command',
      '"--" "%1"',
      'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
      'HKCU:\\Environment',
      // If the PATH cannot be read, it is not changed.
      "$ErrorActionPreference = 'Stop'; $old =",
      "GetValue('Path', '', 'DoNotExpandEnvironmentNames')",
      'allusers',
      // Administrators can write to the folder for policies, and users can read it.
      'O:BAG:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)',
      // A newer version is not replaced. A message in each language says so.
      'DisplayVersion',
      'It is newer than 0.1.0, so nothing was changed.',
      'Det är nyare än 0.1.0',
      'ist neuer als 0.1.0',
      // The program's folder is compared with the folders of data.
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

  // No compiler for the project runs here, so the test checks what a compiler would reject first: invalid XML,
  // duplicate ids, and missing folders.
  expect(XMLValidator.validate(project)).toBe(true);
  const values = (pattern: RegExp): readonly string[] => [...project.matchAll(pattern)].map(([, value = '']) => value);
  const ids = values(/<(?:Component|Directory|File|Property) (?:[^>]* )?Id="([^"]+)"/g);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(
    values(/<(?:Component|ComponentGroup) (?:[^>]* )?Directory="([^"]+)"/g).filter((id) => !ids.includes(id)),
  ).toEqual([]);
  const components = project.match(/<Component [\s\S]*?<\/Component>|<Component>[\s\S]*?<\/Component>/g) ?? [];
  expect(components.filter((component) => component.match(/KeyPath="yes"/g)?.length !== 1)).toEqual([]);

  /** Returns the groups of the only match of `pattern` in the project. */
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
  for (const kind of ['Directory', '\\*'])
    only(
      new RegExp(
        `<RegistryKey Root="HKLM" Key="Software\\\\Classes\\\\${kind}\\\\shell\\\\com\\.inspectiondesk\\.app">`,
      ),
    );
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
