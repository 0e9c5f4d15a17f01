/** Describes the running release: whether it can update itself, how, and which installers it trusts. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parseDn } from 'builder-util-runtime';
import { z } from 'zod';
import type { UpdatesOff } from '../../../../contract/app.ts';
import { POWERSHELL, systemProgram } from '../../../settings/policy/read-policy.ts';

/**
 * The field `release` in the package.json of a release's archive. The program checks the archive at its start.
 * `updates`: the address of newer versions. `publisher`: the name in the signature of the installer for Windows.
 */
export const Release = z.object({ updates: z.url().optional(), publisher: z.string().min(1).optional() });
export type Release = z.infer<typeof Release>;

export type UpdateWay = 'nsis' | 'mac' | 'appimage';

type Installed = {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly release: Release | undefined;
  /**
   * The content of the file `package-type` in the resources, such as `msi` or `deb`. Absent: the file does not exist.
   */
  readonly packageType: string | undefined;
  readonly appImage: string | undefined;
};

/**
 * Returns how the app updates, or why it cannot. Without a publisher in the release, nothing is installed on Windows,
 * because the installer's signature could not be checked.
 */
export const updateWay = (installed: Installed): { readonly way: UpdateWay } | { readonly off: UpdatesOff } => {
  const { platform, isPackaged, release, packageType, appImage } = installed;
  if (!isPackaged || !release) return { off: 'build' };
  switch (platform) {
    case 'win32':
      if (packageType !== undefined) return { off: 'installer' };
      return release.publisher === undefined ? { off: 'build' } : { way: 'nsis' };
    case 'darwin':
      return { way: 'mac' };
    default:
      return appImage === undefined ? { off: 'installer' } : { way: 'appimage' };
  }
};

// If the version or the signature of an installer cannot be determined, the installer is rejected. electron-updater's
// own check accepts a file when PowerShell does not respond.

type ReadSignature = (path: string) => Promise<string>;

const Signature = z.object({ status: z.literal('Valid'), subject: z.string().min(1), version: z.string() });

/** Prints an installer's signature. The path is in the environment, so that no part of it is read as a command. */
const script = `$s = Get-AuthenticodeSignature -LiteralPath $env:DESK_INSTALLER
$v = (Get-Item -LiteralPath $env:DESK_INSTALLER).VersionInfo.ProductVersion
@{ status = [string]$s.Status; subject = [string]$s.SignerCertificate.Subject; version = [string]$v } | ConvertTo-Json -Compress`;

const TIMEOUT_MS = 60_000;

const askWindows: ReadSignature = async (path) => {
  const { stdout } = await promisify(execFile)(
    systemProgram(POWERSHELL),
    ['-NoProfile', '-NonInteractive', '-Command', script],
    // PowerShell 7 sets PSModulePath to modules that Windows PowerShell cannot load.
    { timeout: TIMEOUT_MS, windowsHide: true, env: { ...process.env, DESK_INSTALLER: path, PSModulePath: '' } },
  );
  return stdout;
};

/**
 * Whether the file at `path` has a valid signature with every part of the name `publisher`, such as
 * `CN=Example AB, O=Example AB, C=SE`, and contains the version `version`. The version that the server claims is not
 * enough: the server could offer an old installer, which is also signed, as a new one.
 */
export const isSignedBy = async (
  publisher: string,
  version: string,
  path: string,
  read: ReadSignature = askWindows,
): Promise<boolean> => {
  const wanted = [...parseDn(publisher)];
  if (wanted.length === 0) return false;
  try {
    const { subject, version: own } = Signature.parse(JSON.parse(await read(path)));
    const signer = parseDn(subject);
    // The version that Windows returns for a file can be padded with spaces.
    return own.trim() === version && wanted.every(([part, value]) => signer.get(part) === value);
  } catch {
    return false;
  }
};
