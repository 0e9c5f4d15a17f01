import { textOf } from '../words/words.ts';

/**
 * A code of the service in the person's language if it is known, else `ON_HOLD` as "On hold". Anything that is no code is
 * shown as it is.
 */
export const codeWords = (value: string): string =>
  /^[A-Z]{2,}(_[A-Z]+)*$/.test(value) ? (textOf(`codes.${value}`) ?? spelled(value)) : value;

const spelled = (code: string): string => code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');
