import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Settings } from '../../../src/main/settings/schema.ts';

/** The settings that the app has stored in `home`, or the defaults if it has stored none yet. */
export const readSettings = async (home: string): Promise<Settings> => {
  const text = await readFile(join(home, 'settings.json'), 'utf8').catch(() => '{}');
  return Settings.parse(JSON.parse(text));
};
