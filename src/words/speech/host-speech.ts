import { loadHostWords, type Spoken } from './languages.ts';
import { createSpeech, type Speech } from './speech.ts';

/** Speaks the words of main and the command line. Numbers are written as is usual for the language. */
export const createHostSpeech = async (spoken: Spoken): Promise<Speech<'host'>> => {
  const catalog = await loadHostWords(spoken);
  return createSpeech(catalog, (value) => value.toLocaleString(catalog.locale));
};
