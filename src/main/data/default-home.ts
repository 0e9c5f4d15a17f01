import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

const folder = 'Inspection Desk';

/**
 * The default data directory, the same in all hosts. On Windows it is in the profile's local part, which no server copies
 * at each sign-in.
 */
export const defaultHome = (env: Environment = process.env, platform = process.platform): string => {
  switch (platform) {
    case 'win32':
      return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), folder);
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', folder);
    default:
      return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), folder);
  }
};
