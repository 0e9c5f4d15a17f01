import type { Language } from '../../../contract/preferences.ts';
import { languageOf } from '../../../words/speech/languages.ts';
import type { Environment } from './support/cli-options.ts';

/**
 * The language of the command line, by LC_ALL, LC_MESSAGES or LANG: the first that is set counts, as POSIX has it. Windows
 * sets none, so there it is that of the system's locale.
 */
export const cliLanguage = (
  { LC_ALL, LC_MESSAGES, LANG }: Environment,
  platform: NodeJS.Platform = process.platform,
  systemLocale = new Intl.NumberFormat().resolvedOptions().locale,
): Language => {
  const named = LC_ALL || LC_MESSAGES || LANG;
  return languageOf([named ?? (platform === 'win32' ? systemLocale : 'C')]);
};
