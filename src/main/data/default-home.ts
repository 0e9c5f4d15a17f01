import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = 'Inspection Desk';

/** The default data directory: Electron's `userData`, found without Electron, so that all hosts share it. */
export const defaultHome = (env: Readonly<Record<string, string | undefined>> = process.env): string => {
  switch (process.platform) {
    case 'win32':
      return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), folder);
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', folder);
    default:
      return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), folder);
  }
};
