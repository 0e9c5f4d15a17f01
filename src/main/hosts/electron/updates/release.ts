/** What this copy of the app is: whether it may update itself, and how. Pure. */
import { z } from 'zod';
import type { UpdatesOff } from '../../../../contract/app.ts';

/**
 * What a release knows of itself: `release` in the package.json of its archive, which the program checks at its start.
 * `updates`: where newer versions are. `publisher`: the name in the signature of its installer for Windows.
 */
export const Release = z.object({ updates: z.url().optional(), publisher: z.string().min(1).optional() });
export type Release = z.infer<typeof Release>;

/** How a version is installed: by the installer of Windows, by macOS, or by replacing the AppImage. */
export type UpdateWay = 'nsis' | 'mac' | 'appimage';

type Installed = {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  /** Absent: it was not built as a release. */
  readonly release: Release | undefined;
  /** The content of `package-type` among the resources, which packages for a computer have: `msi`, `deb`. */
  readonly packageType: string | undefined;
  /** The path of the AppImage that runs, as it says in the environment. */
  readonly appImage: string | undefined;
};

/** The way to update, or why there is none. On Windows nothing is installed without a publisher to check it against. */
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
