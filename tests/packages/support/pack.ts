/** Packs what was built, as `npm run dist` does. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AfterPackContext, Arch, build, type Configuration, Platform } from 'electron-builder';
import { findElectron } from '../../../scripts/electron-binary.mjs';
import { makeDirectory } from '../../integration/support/folders.ts';
import { type PackedPlatform, writeStubElectron } from './stub-electron.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

// The best compression takes minutes. For an fpm that leaves it to dpkg-deb.
process.env.DPKG_DEB_COMPRESSOR_LEVEL = '0';

const platforms = { linux: Platform.LINUX, win32: Platform.WINDOWS, darwin: Platform.MAC };

/** Where each platform has its program and its resources, below the folder of the packages. */
const layouts = {
  linux: { folder: 'linux-unpacked', program: 'inspection-desk', resources: 'resources' },
  win32: { folder: 'win-unpacked', program: 'Inspection Desk.exe', resources: 'resources' },
  darwin: { folder: 'mac', program: 'Inspection Desk.app', resources: 'Inspection Desk.app/Contents/Resources' },
};

/** Absolute paths: of all packages, of the unpacked one, and of its program (on macOS the bundle), resources and archive. */
type Packed = {
  readonly output: string;
  readonly folder: string;
  readonly program: string;
  readonly resources: string;
  readonly archive: string;
};

type PackOptions = {
  readonly platform: PackedPlatform;
  /** `dir`: the unpacked program only. */
  readonly target?: string;
  /** An unpacked Electron. Default: a stub. */
  readonly electronDist?: string;
  /** Over electron-builder.yml. */
  readonly config?: Configuration;
  /** Where it packs, in a folder `dist`. Default: a folder that is removed after the test. */
  readonly home?: string;
  /** The folder of the project. Default: this one. */
  readonly project?: string;
};

/** Packs for x64. */
export const pack = async (options: PackOptions): Promise<Packed> => {
  const { platform, target = 'dir', electronDist, config, home = makeDirectory(), project = root } = options;
  const stub = join(home, 'electron');
  if (electronDist === undefined) writeStubElectron(stub, platform);
  const output = join(home, 'dist');
  await build({
    projectDir: project,
    targets: platforms[platform].createTarget(target, Arch.x64),
    publish: 'never',
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

/** Whether an installer for Windows can be compiled. Elsewhere electron-builder is told where makensis is, as not every machine can download it. */
export const canCompileSetup = process.platform === 'win32' || process.env.ELECTRON_BUILDER_NSIS_DIR !== undefined;

/** Whether a deb can be made: electron-builder downloads fpm otherwise. */
export const canMakeDeb = Boolean(process.env.CUSTOM_FPM_PATH || process.env.USE_SYSTEM_FPM);

const electron = findElectron();

/** Whether what is packed for Linux can be started on this machine. */
export const canRunPacked = electron !== undefined && process.platform === 'linux';

/** Packs for Linux with the Electron that is here. */
export const packToRun = ({ config, ...options }: Pick<PackOptions, 'target' | 'config'> = {}): Promise<Packed> =>
  pack({
    platform: 'linux',
    electronDist: process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(root, 'node_modules/electron/dist'),
    config: { afterPack: addStandIn, ...config },
    ...options,
  });

/** An Electron that is too old for `node:sqlite` gets the package that stands in for it, beside the archive. */
const addStandIn = async ({ appOutDir }: AfterPackContext): Promise<void> => {
  if (!electron?.isOld) return;
  for (const name of ['node_modules/@photostructure/sqlite', 'node_modules/node-gyp-build'])
    cpSync(join(root, name), join(appOutDir, 'resources', name), { recursive: true });
};
