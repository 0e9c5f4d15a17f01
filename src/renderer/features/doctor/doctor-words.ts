import { memoize } from 'es-toolkit';
import type { DoctorWords } from '../../../words/doctor-text.ts';
import { loadDoctorWords, spokenOf } from '../../../words/languages.ts';

/** The words of the page, in the language `locale`. They are loaded once, and only here. */
export const doctorWords = memoize(
  (locale: string): Promise<DoctorWords> => loadDoctorWords(locale === 'en-XA' ? 'pseudo' : (spokenOf(locale) ?? 'en')),
);
