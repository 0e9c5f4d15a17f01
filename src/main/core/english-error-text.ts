import { errors } from '../../words/english/errors.ts';
import { createErrorTexts } from '../../words/error-text.ts';

/** The texts of errors in English. */
export const { errorText, fileErrorText } = createErrorTexts(
  errors,
  (unit, count) => `Try again in ${count} ${unit}${count === 1 ? '' : 's'}.`,
);
