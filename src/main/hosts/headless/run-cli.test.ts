import { expect, test } from 'vitest';
import { cliLanguage } from './run-cli.ts';

test.each([
  [{ LANG: 'sv_SE.UTF-8' }, 'sv'],
  [{ LANG: 'de_DE.UTF-8' }, 'de'],
  [{ LANG: 'de' }, 'de'],
  [{ LANG: 'C' }, 'en'],
  [{ LANG: 'C.UTF-8' }, 'en'],
  [{ LANG: 'POSIX' }, 'en'],
  [{ LANG: 'nb_NO.UTF-8' }, 'en'],
  [{}, 'en'],
  [{ LC_MESSAGES: 'de_DE.UTF-8', LANG: 'sv_SE.UTF-8' }, 'de'],
  [{ LC_ALL: 'C', LC_MESSAGES: 'de_DE.UTF-8', LANG: 'sv_SE.UTF-8' }, 'en'],
  [{ LC_ALL: '', LC_MESSAGES: '', LANG: 'sv_SE.UTF-8' }, 'sv'],
])('%j is %s, except on Windows', (env, language) => {
  expect(cliLanguage(env, 'linux', () => 'de-DE')).toBe(language);
});

test('on Windows the locale of the system decides, unless the environment names one', () => {
  expect(cliLanguage({}, 'win32', () => 'sv-SE')).toBe('sv');
  expect(cliLanguage({ LANG: '' }, 'win32', () => 'sv-SE')).toBe('sv');
  expect(cliLanguage({}, 'win32', () => 'fi-FI')).toBe('en');
  expect(cliLanguage({ LANG: 'de_DE.UTF-8' }, 'win32', () => 'sv-SE')).toBe('de');
});
