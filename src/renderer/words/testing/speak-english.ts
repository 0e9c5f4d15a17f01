import { windowWords } from '../../../words/en/window.ts';
import { speak } from '../words.ts';

/** For unit tests that read the window's words. */
export const speakEnglish = (): void => speak({ name: 'window', locale: 'en', words: windowWords });
