/** The languages of the app, and how their words are loaded. */
import { Language, type Preferences } from '../../contract/preferences.ts';
import type { DoctorWords } from './doctor-text.ts';
import type { Catalog } from './speech.ts';

/** The first of `locales` (BCP 47 tags, best first) in a language of the app; English where there is none. */
export const languageOf = (locales: readonly string[]): Language =>
  locales.map((locale) => Language.safeParse(locale.toLowerCase().split(/[-_.]/)[0]).data).find(Boolean) ?? 'en';

/** A language calls itself so. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', sv: 'Svenska', de: 'Deutsch' };

/** What can be spoken: `pseudo` is longer English with accents, for tests and development only. */
export type Spoken = Language | 'pseudo';

/** The language that a person has chosen. */
export const chosenLanguage = ({ language }: Pick<Preferences, 'language'>, system: Spoken): Spoken =>
  language === 'system' ? system : language;

/** The spoken language that `name` stands for; undefined for anything else. */
export const spokenOf = (name: string | null | undefined): Spoken | undefined =>
  name === 'pseudo' ? name : Language.safeParse(name).data;

type Load<Name extends Catalog['name']> = () => Promise<Catalog<Name>['words']>;

/** Each language is a file of its own, of which only the one that is spoken is loaded. */
const windowWords: Readonly<Record<Spoken, Load<'window'>>> = {
  en: async () => (await import('../english/window.ts')).windowWords,
  sv: async () => (await import('../swedish/window.ts')).windowWords,
  de: async () => (await import('../german/window.ts')).windowWords,
  pseudo: async () => (await import('./pseudo.ts')).toPseudo((await import('../english/window.ts')).windowWords),
};

const hostWords: Readonly<Record<Spoken, Load<'host'>>> = {
  en: async () => (await import('../english/host.ts')).hostWords,
  sv: async () => (await import('../swedish/host.ts')).hostWords,
  de: async () => (await import('../german/host.ts')).hostWords,
  pseudo: async () => (await import('./pseudo.ts')).toPseudo((await import('../english/host.ts')).hostWords),
};

/** `en-XA` is the tag for English with accents. */
const localeOf = (spoken: Spoken): string => (spoken === 'pseudo' ? 'en-XA' : spoken);

/** The window's words. */
export const loadWindowWords = async (spoken: Spoken): Promise<Catalog<'window'>> => ({
  name: 'window',
  locale: localeOf(spoken),
  words: await windowWords[spoken](),
});

/** The words of main and the command line. */
export const loadHostWords = async (spoken: Spoken): Promise<Catalog<'host'>> => ({
  name: 'host',
  locale: localeOf(spoken),
  words: await hostWords[spoken](),
});

/** The words of the doctor, which only its page and its command need. */
export const loadDoctorWords = async (spoken: Spoken): Promise<DoctorWords> => doctorWords[spoken]();

const doctorWords: Readonly<Record<Spoken, () => Promise<DoctorWords>>> = {
  en: async () => (await import('../english/doctor.ts')).doctor,
  sv: async () => (await import('../swedish/doctor.ts')).doctor,
  de: async () => (await import('../german/doctor.ts')).doctor,
  pseudo: async () => (await import('./pseudo.ts')).toPseudo((await import('../english/doctor.ts')).doctor),
};
