/** Packs the built app, as `npm run dist` does. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AfterPackContext, Arch, build, type Configuration, Platform } from 'electron-builder';
import { afterAll } from 'vitest';
import { findElectron } from '../../../scripts/electron-binary.mjs';
import { makeDirectory } from '../../integration/support/folders.ts';
import { type PackedPlatform, writeStubElectron } from './stub-electron.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

// The best compression takes minutes. Some versions of fpm leave the compression to dpkg-deb, which reads this
// variable.
process.env.DPKG_DEB_COMPRESSOR_LEVEL = '0';

const platforms = { linux: Platform.LINUX, win32: Platform.WINDOWS, darwin: Platform.MAC };

/** The places of the program and its resources on each platform, below the folder of the packages. */
const layouts = {
  linux: { folder: 'linux-unpacked', program: 'inspection-desk', resources: 'resources' },
  win32: { folder: 'win-unpacked', program: 'Inspection Desk.exe', resources: 'resources' },
  darwin: { folder: 'mac', program: 'Inspection Desk.app', resources: 'Inspection Desk.app/Contents/Resources' },
};

/**
 * The absolute paths of the folder of all packages, of the unpacked package, and of its program (on macOS the bundle),
 * resources and archive.
 */
type Packed = {
  readonly output: string;
  readonly folder: string;
  readonly program: string;
  readonly resources: string;
  readonly archive: string;
};

type PackOptions = {
  readonly platform: PackedPlatform;
  /** The kind of package. `dir`: only the unpacked program. */
  readonly target?: string;
  /** The folder of an unpacked Electron. Default: a stub. */
  readonly electronDist?: string;
  /** Overrides electron-builder.yml. */
  readonly config?: Configuration;
  /** The packages are written to the folder `dist` in this folder. Default: a folder that is removed after the test. */
  readonly home?: string;
  /** The folder of the project. Default: a copy of what is packed. */
  readonly project?: string;
  /** Receives the desktop entry of an AppImage. The AppImage itself, which would need a download, is then not made. */
  readonly onDesktopEntry?: (text: string) => void;
};

/** The paths in the project that packing reads, besides the git directory. */
export const packedPaths: readonly string[] = [
  ...['package.json', 'package-lock.json', 'electron-builder.yml', 'LICENSE'],
  ...['build', 'out', 'scripts', 'node_modules/keytar', 'node_modules/kerberos'],
];

/** Makes `copy` use the git directory of the project, because packages get the date of the last commit. */
export const useGitOfProject = (copy: string): void => {
  const { stdout } = spawnSync('git', ['rev-parse', '--absolute-git-dir'], { cwd: root, encoding: 'utf8' });
  writeFileSync(join(copy, '.git'), `gitdir: ${stdout}`);
};

let copied: string | undefined;
afterAll(() => {
  if (copied !== undefined) rmSync(copied, { recursive: true });
});

/**
 * Returns a copy of what is packed, for all tests of a file. electron-builder makes npm list all installed
 * packages, which takes seconds in a folder that has the packages for development.
 */
const copyOfProject = (): string => {
  if (copied !== undefined) return copied;
  copied = mkdtempSync(join(tmpdir(), 'inspection-desk-project-'));
  for (const path of packedPaths.filter((one) => existsSync(join(root, one))))
    cpSync(join(root, path), join(copied, path), { recursive: true });
  useGitOfProject(copied);
  return copied;
};

/** Packs for x64. */
export const pack = async (options: PackOptions): Promise<Packed> => {
  const { platform, target = 'dir', electronDist, config, home = makeDirectory(), project = copyOfProject() } = options;
  const { onDesktopEntry } = options;
  const stub = join(home, 'electron');
  if (electronDist === undefined) writeStubElectron(stub, platform);
  const output = join(home, 'dist');
  await build({
    projectDir: project,
    targets: platforms[platform].createTarget(target, Arch.x64),
    publish: 'never',
    ...(onDesktopEntry && {
      effectiveOptionComputed: async ({ desktop }: { readonly desktop: string }) => {
        onDesktopEntry(desktop);
        return true;
      },
    }),
    config: {
      extends: 'electron-builder.yml',
      electronDist: electronDist ?? stub,
      directories: { output, buildResources: 'build' },
      compression: 'store',
      deb: { compression: 'gz' },
      ...config,
    },
  });
  const layout = layouts[platform];
  const folder = join(output, layout.folder);
  const resources = join(folder, layout.resources);
  return { output, folder, program: join(folder, layout.program), resources, archive: join(resources, 'app.asar') };
};

/**
 * Whether an installer for Windows can be compiled. On other systems, a variable has to name the folder of makensis,
 * because not every machine can download it.
 */
export const canCompileSetup = process.platform === 'win32' || process.env.ELECTRON_BUILDER_NSIS_DIR !== undefined;

/** Whether a deb can be created. Without these variables, electron-builder would download fpm. */
export const canMakeDeb = Boolean(process.env.CUSTOM_FPM_PATH || process.env.USE_SYSTEM_FPM);

const electron = findElectron();

/** Whether the package for Linux can be started on this machine. */
export const canRunPacked = electron !== undefined && process.platform === 'linux';

/** Packs for Linux with the Electron of this machine. */
export const packToRun = ({ config, ...options }: Pick<PackOptions, 'target' | 'config'> = {}): Promise<Packed> =>
  pack({
    platform: 'linux',
    electronDist: process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(root, 'node_modules/electron/dist'),
    config: { afterPack: addStandIn, ...config },
    ...options,
  });

/** Adds the packages that replace `node:sqlite` next to the archive, if the Electron is too old for it. */
const addStandIn = async ({ appOutDir }: AfterPackContext): Promise<void> => {
  if (!electron?.isOld) return;
  for (const name of ['node_modules/@photostructure/sqlite', 'node_modules/node-gyp-build'])
    cpSync(join(root, name), join(appOutDir, 'resources', name), { recursive: true });
};
