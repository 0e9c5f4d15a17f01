import { codes } from '../../words/english/window/codes.ts';
import { t } from '../words/words.ts';

/**
 * A code of the service in the person's language if it is known, else `ON_HOLD` as "On hold". Anything that is no code is
 * shown as it is.
 */
export const codeWords = (value: string): string => (isKnown(value) ? t(`codes.${value}`) : spelled(value));

const isKnown = (value: string): value is keyof typeof codes => Object.hasOwn(codes, value);

const spelled = (value: string): string =>
  /^[A-Z]{2,}(_[A-Z]+)*$/.test(value) ? value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ') : value;
