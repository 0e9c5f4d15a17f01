import { chosenLanguage, languageOf, loadWindowWords, type Spoken } from '../../words/languages.ts';
import { setFormats } from '../words/formats.ts';
import { speak } from '../words/words.ts';
import type { AppState, AppStore } from './store.tsx';

/**
 * Uses the language `first` until main's state is known, and then the user's choice of language and formats. Resolves
 * once texts can be rendered. If `first` is the pseudo-language, it replaces the system's language.
 */
export const followLanguage = async (
  store: AppStore,
  first: Spoken = languageOf(navigator.languages),
): Promise<void> => {
  let wanted = first;
  speak(await loadWindowWords(first));
  const follow = async ({ projection: { snapshot } }: AppState): Promise<void> => {
    if (snapshot === undefined) return;
    const { preferences, locale, systemLanguage = languageOf(navigator.languages) } = snapshot;
    setFormats({ ...preferences, systemLocale: locale });
    const language = chosenLanguage(preferences, first === 'pseudo' ? first : systemLanguage);
    if (wanted === language) return;
    wanted = language;
    const catalog = await loadWindowWords(language);
    // The user may have chosen another language meanwhile.
    if (wanted === language) speak(catalog);
  };
  store.subscribe((state, before) => {
    if (state.projection.snapshot?.preferences !== before.projection.snapshot?.preferences) void follow(state);
  });
  await follow(store.getState());
};
