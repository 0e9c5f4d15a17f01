/** What was found at an address, worded for the text below its field. */
import type { ErrorData } from '../../../contract/errors.ts';
import { t } from '../../words/words.ts';
import { errorSentences } from '../errors/error-words.ts';

/** Reasons why an address could not be reached that a person can act on, by the system's code. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: t('connection.found.noHost'),
  EAI_AGAIN: t('connection.found.noHost'),
  ECONNREFUSED: t('connection.found.refused'),
  EHOSTUNREACH: t('connection.found.noWay'),
  ENETUNREACH: t('connection.found.noWay'),
};

/** What is wrong at an address, in a sentence or two. */
export const findingText = (error: ErrorData): string => {
  if (error.code === 'service/timeout') return t('connection.found.silent');
  const reason = error.code === 'service/unreachable' && reasons[String(error.details.cause)];
  if (reason) return reason;
  return error.code === 'service/unreachable' ? t('connection.found.unreachable') : errorSentences(error);
};
