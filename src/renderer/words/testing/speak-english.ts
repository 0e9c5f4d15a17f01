import { windowWords } from '../../../words/en/window.ts';
import { speak } from '../words.ts';

/** Makes the window speak English. For unit tests that read its texts. */
export const speakEnglish = (): void => speak({ name: 'window', locale: 'en', words: windowWords });
