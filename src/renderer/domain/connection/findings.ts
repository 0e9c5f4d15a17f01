/** What was found at an address, worded for the text below its field. */
import type { ErrorData } from '../../../contract/errors.ts';
import { t } from '../../words/words.ts';
import { errorSentences } from '../errors/error-words.ts';

/** Reasons why an address could not be reached that a person can act on, by the system's code. */
const reasons = {
  ENOTFOUND: 'connection.found.noHost',
  EAI_AGAIN: 'connection.found.noHost',
  ECONNREFUSED: 'connection.found.refused',
  EHOSTUNREACH: 'connection.found.noWay',
  ENETUNREACH: 'connection.found.noWay',
} as const;

const isKnown = (cause: unknown): cause is keyof typeof reasons => Object.hasOwn(reasons, String(cause));

/** What is wrong at an address, in a sentence or two. */
export const findingText = (error: ErrorData): string => {
  if (error.code === 'service/timeout') return t('connection.found.silent');
  const { cause } = error.details;
  if (error.code === 'service/unreachable' && isKnown(cause)) return t(reasons[cause]);
  return error.code === 'service/unreachable' ? t('connection.found.unreachable') : errorSentences(error);
};
