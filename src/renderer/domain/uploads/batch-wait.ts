/**
 * Why an upload in progress does not continue. Like the footer, this shows what main knows of the service and the storages,
 * so that the two never differ; only a pause that a storage asked for single files comes from the batch.
 */

import { type Reachability, type Side, type Trouble, uploadTrouble } from '../../../contract/connection.ts';
import { isBarredCode, isNameFailure } from '../../../contract/errors.ts';
import { type Batch, isActive } from '../../../contract/uploads.ts';
import type { ErrorText } from '../../../words/error-text.ts';
import { formatHour } from '../../words/dates.ts';
import { errorText, t } from '../../words/words.ts';

type Wait = ErrorText & {
  /** Whether a message above every page already says so. */
  readonly isShownAbove: boolean;
};

/** Whether a trouble is shown on every page, because a person can do something about it. */
export const isForAll = (side: Side, { state, reason }: Trouble): boolean =>
  side === 'service' && (state === 'held' || isBarredCode(reason.code));

/** A trouble in words: which host has it, and since or until when. */
export const troubleText = (side: Side, trouble: Trouble): ErrorText => {
  const { state, host, reason } = trouble;
  if (isBarredCode(reason.code)) return errorText(reason);
  const isProxy = reason.code === 'network/proxy-unreachable';
  const who = isProxy
    ? t('reach.proxy', { proxy: String(reason.details.proxy ?? '') })
    : t(side === 'service' ? 'reach.service' : 'reach.storage', { host });
  if (state === 'held') {
    return { title: t('reach.held', { who, at: formatHour(trouble.untilMs) }), todo: t('reach.heldTodo') };
  }
  const since = { who, at: formatHour(trouble.sinceMs) };
  if (reason.code === 'network/interrupted') {
    return { title: t('reach.interrupted', since), todo: t('reach.interruptedTodo') };
  }
  const title = t('reach.unreachable', since);
  const why = errorText(reason);
  if (isProxy) return { title, todo: why.todo };
  // A guest network stands between, or the name server does not know the host.
  const isExplained = reason.code.startsWith('network/') || isNameFailure(reason);
  return { title, todo: isExplained ? `${why.title} ${why.todo}` : t('reach.unreachableTodo') };
};

/** What `batch` waits for; undefined if it continues or is not in progress. */
export const waitOf = (batch: Batch, reachability: Reachability): Wait | undefined => {
  if (!isActive(batch)) return undefined;
  const found = uploadTrouble(reachability);
  if (found) {
    const { side, trouble } = found;
    return { ...troubleText(side, trouble), isShownAbove: isForAll(side, trouble) };
  }
  const until = batch.reason?.details.until;
  if (typeof until !== 'number') return undefined;
  const held = { who: t('reach.someStorage'), at: formatHour(until) };
  return { title: t('reach.held', held), todo: t('reach.heldTodo'), isShownAbove: false };
};
