import type { Preferences } from '../../../contract/preferences.ts';
import { chosenLanguage, type Spoken } from '../../../words/languages.ts';
import { createHostSpeech, type Speech } from '../../../words/speech.ts';
import type { Desk } from '../../core/desk.ts';
import { type MenuActions, setAppMenu } from './menus.ts';

type DesktopSpeech = {
  /** The language of the desktop's own texts now. */
  readonly speech: () => Speech<'host'>;
  /** Follows the person's choice of language from now on. */
  readonly follow: (desk: Desk) => Promise<void>;
};

/** Speaks the language of the `system` in menus, dialogs and notifications, until a desk is followed. */
export const createDesktopSpeech = async (system: Spoken, actions: MenuActions): Promise<DesktopSpeech> => {
  let wanted = system;
  let current = await createHostSpeech(system);
  setAppMenu(current, actions);
  const speak = async (preferences: Preferences): Promise<void> => {
    const language = chosenLanguage(preferences, system);
    if (language === wanted) return;
    wanted = language;
    const speech = await createHostSpeech(language);
    // Another language may have been chosen meanwhile.
    if (wanted !== language) return;
    current = speech;
    setAppMenu(current, actions);
  };
  return {
    speech: () => current,
    follow: async (desk) => {
      desk.onEvent((event) => event.type === 'preferences' && void speak(event.preferences));
      await speak((await desk.handlers.app.snapshot(undefined)).preferences);
    },
  };
};
