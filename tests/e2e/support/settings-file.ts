import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Settings } from '../../../src/main/settings/schema.ts';

/** What the app has written to its settings in `home`; the defaults before it has written any. */
export const readSettings = async (home: string): Promise<Settings> => {
  const text = await readFile(join(home, 'settings.json'), 'utf8').catch(() => '{}');
  return Settings.parse(JSON.parse(text));
};
