/**
 * The rules that make a file arrive exactly once: pure functions that return the next step for a file from its state
 * and the outcome of its last step. transfer.ts performs the steps.
 *
 *   sign → send → end: done
 *          send without a clear response     → send again to the same URL, which overwrites the first attempt
 *          URL expired                       → sign again, once; more often if the next URL continues the same blob,
 *                                              or the file only waited for its turn
 *          URL dead, an attempt was unclear  → settle (remove the Key, which may hold the file) → sign again, once
 *          stored, but damaged               → send again to the same URL; after the last attempt settle, and fail
 *
 * Once a file is done, each file that it replaces is removed. If the storage did not prove that it has the new file,
 * the service has to list the new file first:
 *
 *   look → there: remove → end
 *          missing: end; the new file did not arrive, so the replaced file stays
 */
import type { DeskError } from '../../../contract/errors.ts';
import { REQUEST_RETRY, type RetryPolicy } from '../../async/retry.ts';
import type { Proof, SendOutcome } from '../storage/put-file.ts';

/** The retries of the steps of a transfer, or of a removal, in one run. */
export const STEP_RETRY: RetryPolicy = { ...REQUEST_RETRY, attempts: 6 };

export type Signature = { readonly key: string; readonly url: string };

/** The facts about a file in transfer. The ledger stores `unclear`; the other facts apply only to this run. */
type Known = {
  /** Whether the storage may hold an object under the Key: an attempt was unclear, or left a damaged object. */
  readonly unclear: boolean;
  /**
   * Whether no further URL is requested, because the last one already replaced another, or because a new one would not
   * help.
   */
  readonly resigned: boolean;
  /**
   * Whether a URL expired between blocks. The file is then sent in one request, which may go on after its URL has
   * expired.
   */
  readonly isWhole?: boolean;
  readonly tries: number;
  readonly error?: DeskError;
};

export type Transfer =
  | (Known & { readonly step: 'sign' })
  | (Known & Signature & { readonly step: 'send' })
  | (Known & { readonly step: 'settle'; readonly key: string })
  | { readonly step: 'end'; readonly end: 'done'; readonly key: string; readonly proof: Proof }
  | End;

/** The end of a file that failed or is uncertain. A retry starts from `key` and `url`, if they are present. */
export type End = {
  readonly step: 'end';
  readonly end: 'failed' | 'uncertain';
  readonly error: DeskError;
  readonly key?: string | undefined;
  readonly url?: string | undefined;
  readonly unclear: boolean;
};

/** The outcome of a step without a result. After `later`, a retry may succeed. */
export type Refusal = { readonly type: 'later' | 'refused'; readonly error: DeskError };

/**
 * The outcome of a request for a signature. `continues`: the blob at this URL has more blocks than any blob at an
 * earlier URL.
 */
export type SignOutcome = ({ readonly type: 'signed'; readonly continues?: boolean } & Signature) | Refusal;

/** The outcome of an attempt to remove a Key. `settled`: the service removed the Key, or does not know it. */
export type SettleOutcome = { readonly type: 'settled' } | Refusal;

/** The first step of a run, from the facts in the ledger. */
export const begin = ({ key, url, unclear }: Pick<End, 'key' | 'url' | 'unclear'>): Transfer => {
  const fresh = { resigned: false, tries: 0 };
  const sign = { step: 'sign', unclear: false, ...fresh } as const;
  if (key === undefined) return sign;
  if (url !== undefined) return { step: 'send', key, url, unclear, ...fresh };
  return unclear ? { step: 'settle', key, unclear, ...fresh } : sign;
};

export const afterSign = (now: Transfer & { step: 'sign' }, outcome: SignOutcome): Transfer => {
  if (outcome.type === 'signed') {
    const { key, url, continues } = outcome;
    const { resigned, isWhole = false } = continues ? { resigned: false } : now;
    return { step: 'send', key, url, unclear: false, resigned, isWhole, tries: now.tries };
  }
  return outcome.type === 'later' ? again(now, outcome.error) : giveUp(now, outcome.error);
};

export const afterSend = (now: Transfer & { step: 'send' }, outcome: SendOutcome): Transfer => {
  switch (outcome.type) {
    case 'stored':
      return { step: 'end', end: 'done', key: now.key, proof: outcome.proof };
    case 'unclear':
      return outcome.free
        ? { ...now, unclear: true, error: outcome.error }
        : again({ ...now, unclear: true }, outcome.error);
    case 'later':
      return again(outcome.continues ? { ...now, tries: 0 } : now, outcome.error);
    case 'damaged': {
      const next = again({ ...now, unclear: true }, outcome.error);
      // A damaged object must not stay on the assignment, and another signature would not help.
      return next.step === 'end'
        ? { step: 'settle', key: now.key, unclear: true, resigned: true, tries: 0, error: outcome.error }
        : next;
    }
    case 'unsendable':
      return giveUp(now, outcome.error);
    case 'expired':
    case 'refused': {
      const { key, unclear, resigned, tries } = now;
      if (unclear) return { step: 'settle', key, unclear, resigned, tries, error: outcome.error };
      if (outcome.type === 'expired') {
        if (outcome.free) return { ...signAgain(now, outcome.error), resigned };
        if (!resigned) return signAgain(now, outcome.error, outcome.continues);
      }
      return giveUp(now, outcome.error);
    }
  }
};

export const afterSettle = (now: Transfer & { step: 'settle' }, outcome: SettleOutcome): Transfer => {
  if (outcome.type === 'settled')
    return now.resigned && now.error
      ? giveUp({ ...now, step: 'sign', unclear: false }, now.error)
      : signAgain(now, now.error);
  return outcome.type === 'later' ? again(now, outcome.error) : giveUp(now, outcome.error);
};

type Removing = ({ readonly step: 'look' } | { readonly step: 'remove' }) & {
  readonly tries: number;
  readonly error?: DeskError;
};
/**
 * Removal of a replaced file. `kept`: the new file did not arrive; `failed`: the service did not show whether the new
 * file arrived, or did not remove the replaced file.
 */
type Removal =
  | Removing
  | { readonly step: 'end'; readonly end: 'removed' | 'kept' }
  | { readonly step: 'end'; readonly end: 'failed'; readonly error: DeskError };

/** Whether the service lists the new file; a `Refusal` if that is unknown. */
export type LookOutcome = { readonly type: 'there' | 'missing' } | Refusal;

/**
 * Begins to remove a replaced file. `isCertain`: the new file has certainly arrived, so the service need not list it
 * first.
 */
export const beginRemoval = (isCertain: boolean): Removal => ({ step: isCertain ? 'remove' : 'look', tries: 0 });

export const afterLook = (now: Removing, outcome: LookOutcome): Removal => {
  if ('error' in outcome) return removeAgain(now, outcome);
  return outcome.type === 'there' ? { step: 'remove', tries: 0 } : { step: 'end', end: 'kept' };
};

export const afterRemoval = (now: Removing, outcome: SettleOutcome): Removal =>
  outcome.type === 'settled' ? { step: 'end', end: 'removed' } : removeAgain(now, outcome);

const removeAgain = (now: Removing, { type, error }: Refusal): Removal => {
  const tries = now.tries + 1;
  return type === 'later' && tries < STEP_RETRY.attempts
    ? { ...now, tries, error }
    : { step: 'end', end: 'failed', error };
};

type Going = Exclude<Transfer, { step: 'end' }>;

const again = (now: Going, error: DeskError): Transfer => {
  const tries = now.tries + 1;
  return tries < STEP_RETRY.attempts ? { ...now, tries, error } : giveUp(now, error);
};

const signAgain = (now: Going, error: DeskError | undefined, isWhole = false) => ({
  step: 'sign' as const,
  unclear: false,
  resigned: true,
  ...(isWhole && { isWhole }),
  tries: now.tries,
  ...(error && { error }),
});

/** Ends the transfer. Only a file whose Key could not be settled is uncertain. */
const giveUp = (now: Going, error: DeskError): End => ({
  step: 'end',
  end: now.step === 'settle' ? 'uncertain' : 'failed',
  error,
  unclear: now.unclear,
  ...(now.unclear && 'key' in now && { key: now.key }),
  ...(now.unclear && 'url' in now && { url: now.url }),
});
