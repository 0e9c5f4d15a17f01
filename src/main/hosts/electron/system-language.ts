import { app } from 'electron';
import { languageOf, type Spoken, spokenOf } from '../../../words/speech/languages.ts';

/**
 * The language of the app that fits the system best. In development INSPECTION_DESK_LANGUAGE names another one; `pseudo`
 * shows what a translation would break.
 */
export const systemLanguage = (): Spoken =>
  (app.isPackaged ? undefined : spokenOf(process.env.INSPECTION_DESK_LANGUAGE)) ??
  languageOf(app.getPreferredSystemLanguages());
