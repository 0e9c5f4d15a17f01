import type { Speech } from '../../../words/speech.ts';
import type { RedirectWords } from '../../auth/redirect.ts';

/** The words of the page after a sign-in in the browser, in the language that is spoken when it is shown. */
export const redirectWords =
  (speech: () => Speech<'host'>): RedirectWords =>
  (outcome) => {
    const { t, locale } = speech();
    return { locale, title: t(`page.${outcome}.title`), text: t(`page.${outcome}.text`) };
  };
