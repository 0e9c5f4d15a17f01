/** What trying an address has brought to light, in words beside its field. */
import type { ErrorData } from '../../../contract/errors.ts';
import { t } from '../../words/words.ts';
import { errorSentences } from '../errors/error-words.ts';

/** Why nothing was reached, as far as a person can do something about it; by the system's code. */
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
