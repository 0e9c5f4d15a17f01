// @ts-check
/**
 * Adds to the MSI what electron-builder lacks: the scheme of the sign-in, entries in the menus of folders and files,
 * the command's folder on the PATH, the folder for policies, a check for the oldest Windows that Electron supports, and
 * a file that tells the app how it was installed. electron-builder calls this module with the WiX project before it
 * compiles the project.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const scheme = 'com.inspectiondesk.app';

/**
 * Returns the id of the directory for the program's folder `folder`.
 * @param {string} project
 * @param {string} folder
 */
const directoryId = (project, folder) => {
  const id = new RegExp(`<Directory Id="([^"]+)" Name="APPLICATIONFOLDER:\\\\${folder}\\\\"`).exec(project)?.[1];
  if (id === undefined) throw new Error(`the installer has no folder ${folder}`);
  return id;
};

/**
 * Administrators can write to the folder, and users can read it. build/installer.nsh sets the same rights. Windows
 * removes the folder with the program only if it is empty.
 */
const POLICY_RIGHTS = 'O:BAG:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)';

const POLICY_FOLDER = `
      <Directory Id="CommonAppDataFolder">
        <Directory Id="DeskPolicyFolder" Name="Inspection Desk"/>
      </Directory>`;

/**
 * Returns the entry in the menu of folders or files, as in build/installer.nsh. It is in English, like the whole MSI.
 * @param {string} id
 * @param {string} kind
 * @param {string} guid
 */
const inMenu = (id, kind, guid) => `<Component Id="DeskMenuOf${id}" Guid="${guid}">
        <RegistryKey Root="HKLM" Key="Software\\Classes\\${kind}\\shell\\${scheme}">
          <RegistryValue Type="string" Value="Upload with Inspection Desk" KeyPath="yes"/>
          <RegistryValue Name="Icon" Type="string" Value="[APPLICATIONFOLDER]Inspection Desk.exe,0"/>
          <RegistryValue Key="command" Type="string" Value="&quot;[APPLICATIONFOLDER]Inspection Desk.exe&quot; &quot;--&quot; &quot;%1&quot;"/>
        </RegistryKey>
      </Component>`;

/** @param {{ readonly resources: string, readonly bin: string }} directories */
const parts = ({ resources, bin }) => `
      <Component Id="DeskScheme" Guid="0D5A7C0E-6C2F-4B53-9C1B-6F2F3F0B8A11">
        <RegistryKey Root="HKLM" Key="Software\\Classes\\${scheme}">
          <RegistryValue Type="string" Value="URL:Inspection Desk" KeyPath="yes"/>
          <RegistryValue Name="URL Protocol" Type="string" Value=""/>
          <RegistryValue Key="DefaultIcon" Type="string" Value="[APPLICATIONFOLDER]Inspection Desk.exe,0"/>
          <RegistryValue Key="shell\\open\\command" Type="string" Value="&quot;[APPLICATIONFOLDER]Inspection Desk.exe&quot; &quot;--&quot; &quot;%1&quot;"/>
        </RegistryKey>
      </Component>
      ${inMenu('Folders', 'Directory', '3D8A4C9E-5B7B-4E1C-8C55-7B0B5C1E6A55')}
      ${inMenu('Files', '*', '6F1B2D77-0C84-4D0B-A6B1-9E2D4F7C3B66')}
      <Component Id="DeskPath" Guid="5A1E8B1D-9F0A-4A0E-8A39-1D3C0F7F6C22" Directory="${bin}" KeyPath="yes">
        <Environment Id="DeskPathEntry" Name="PATH" Value="[${bin}]" Action="set" Part="last" Permanent="no" System="yes"/>
      </Component>
      <Component Id="DeskPolicy" Guid="8E0C1E57-52C5-4E0B-8B7D-3D1B2B1D4F33" Directory="DeskPolicyFolder" KeyPath="yes">
        <CreateFolder>
          <PermissionEx Sddl="${POLICY_RIGHTS}"/>
        </CreateFolder>
      </Component>
      <Component Directory="${resources}">
        <File Name="package-type" Source="package-type" KeyPath="yes"/>
      </Component>
    </ComponentGroup>`;

/**
 * electron-builder's condition allows Windows 7. Windows reports at most version 8.1 to an MSI, so `condition` reads
 * the version from the registry.
 */
const ITS_CONDITION = /<Condition Message="Windows 7 and above is required">.*?<\/Condition>/;
const condition = `<Property Id="WINDOWSMAJOR">
      <RegistrySearch Id="DeskWindowsMajor" Root="HKLM" Key="SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion" Name="CurrentMajorVersionNumber" Type="raw"/>
    </Property>
    <Condition Message="Windows 10 or later is required"><![CDATA[Installed OR WINDOWSMAJOR]]></Condition>`;

/** @param {string} path the WiX project @returns {Promise<void>} */
export default async (path) => {
  const project = await readFile(path, 'utf8');
  const added = parts({ resources: directoryId(project, 'resources'), bin: directoryId(project, 'bin') });
  const [before, after, ...others] = project.split('</ComponentGroup>');
  if (before === undefined || after === undefined || others.length > 0 || !ITS_CONDITION.test(before))
    throw new Error('not the project that is known');
  const root = '<Directory Id="TARGETDIR" Name="SourceDir">';
  if (!before.includes(root)) throw new Error('the installer has no root of folders');
  const own = before.replace(ITS_CONDITION, () => condition).replace(root, root + POLICY_FOLDER);
  await writeFile(path, own.trimEnd() + added + after);
  await writeFile(join(dirname(path), 'package-type'), 'msi');
};
