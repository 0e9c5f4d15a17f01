import type { ErrorData } from '../../../contract/errors.ts';
import { errorText } from '../../words/words.ts';

/** What happened and what to do about it, as running text. */
export const errorSentences = (error: Pick<ErrorData, 'code' | 'details'>): string => {
  const { title, todo } = errorText(error);
  return `${title} ${todo}`;
};
