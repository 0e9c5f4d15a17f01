/**
 * The next step for one file, as pure functions of what is known about it: the rules of "exactly once" without network,
 * clock or disk. The runner (transfer.ts) performs the step, reports the outcome, and gets the next step.
 *
 *   sign → send → end: done
 *          send without a clear response     → send again to the same Url: the same Key overwrites itself
 *          Url expired                       → sign again, once; more often if the next Url continues the same blob,
 *                                              or the file only waited for its turn
 *          Url dead, an attempt was unclear  → settle (remove the Key, which may hold the file) → sign again, once
 *          stored, but not what was sent     → send again to the same Url; in the end settle, and fail
 *
 * After a file that replaces others is done, each of these is removed; the ledger releases their Keys only then. If the
 * storage did not prove that it has the new file, the service has to list the new file first:
 *
 *   look → there: remove → end
 *          missing: end; the new file did not arrive, and is sent again
 */
import type { DeskError } from '../../../contract/errors.ts';
import { REQUEST_RETRY, type RetryPolicy } from '../../async/retry.ts';
import type { Proof, SendOutcome } from '../storage/send-outcome.ts';

/** How often one run tries a file's steps before the file fails, and the waits in between. */
export const STEP_RETRY: RetryPolicy = { ...REQUEST_RETRY, attempts: 6 };

export type Signature = { readonly key: string; readonly url: string };

/** The facts about a file in transfer. The ledger stores `unclear`; the other facts apply only to this run. */
type Known = {
  /** An attempt with the current Key had no clear response: the storage may hold the file. */
  readonly unclear: boolean;
  /** Whether the one new signature that is allowed after a dead Url was already requested. */
  readonly resigned: boolean;
  /**
   * The Url expired between two blocks. Unless the next Url continues the same blob, the file is sent in one request,
   * which needs a valid Url only at its start, however long it takes; further blocks could expire again.
   */
  readonly isWhole?: boolean;
  readonly tries: number;
  /** Why the last step has to be repeated. */
  readonly error?: DeskError;
};

export type Transfer =
  | (Known & { readonly step: 'sign' })
  | (Known & Signature & { readonly step: 'send' })
  | (Known & { readonly step: 'settle'; readonly key: string })
  | { readonly step: 'end'; readonly end: 'done'; readonly key: string; readonly proof: Proof }
  | End;

/** A file that failed or is uncertain. Key and Url are kept if the storage may hold the file: a retry has to start from them. */
export type End = {
  readonly step: 'end';
  readonly end: 'failed' | 'uncertain';
  readonly error: DeskError;
  readonly key?: string | undefined;
  readonly url?: string | undefined;
  readonly unclear: boolean;
};

/**
 * `later`: certainly without effect, and may succeed later. `refused`: permanently. `continues`: the Url is that of a
 * blob that has more blocks of the file than the blobs of earlier Urls in this run.
 */
export type SignOutcome =
  | ({ readonly type: 'signed'; readonly continues?: boolean } & Signature)
  | { readonly type: 'later' | 'refused'; readonly error: DeskError };

/** `settled`: the service says that the assignment does not hold the Key. */
export type SettleOutcome =
  | { readonly type: 'settled' }
  | { readonly type: 'later' | 'refused'; readonly error: DeskError };

/**
 * The first step of a run. An item that was interrupted in state `sending` counts as unclear, unless only blocks had
 * been sent.
 */
export const begin = ({ key, url, unclear }: Pick<End, 'key' | 'url' | 'unclear'>): Transfer => {
  const fresh = { resigned: false, tries: 0 };
  const sign = { step: 'sign', unclear: false, ...fresh } as const;
  if (key === undefined) return sign;
  if (url !== undefined) return { step: 'send', key, url, unclear, ...fresh };
  return unclear ? { step: 'settle', key, unclear, ...fresh } : sign;
};

/** The next step after a signature was requested. */
export const afterSign = (now: Transfer & { step: 'sign' }, outcome: SignOutcome): Transfer => {
  if (outcome.type === 'signed') {
    const { key, url, continues = false } = outcome;
    const { resigned, isWhole = false, tries } = now;
    return {
      step: 'send',
      key,
      url,
      unclear: false,
      resigned: resigned && !continues,
      isWhole: isWhole && !continues,
      tries,
    };
  }
  return outcome.type === 'later' ? again(now, outcome.error) : giveUp(now, outcome.error);
};

/** The next step after the file was sent. */
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

/** The next step after an attempt to remove the Key. */
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
 * Removal of a replaced file. `kept`: its replacement did not arrive; `failed`: it is unknown whether that arrived or
 * the file was removed.
 */
export type Removal =
  | Removing
  | { readonly step: 'end'; readonly end: 'removed' | 'kept' }
  | { readonly step: 'end'; readonly end: 'failed'; readonly error: DeskError };

/** Whether the service lists the new file. `later`: it listed nothing. */
export type LookOutcome =
  | { readonly type: 'there' | 'missing' }
  | { readonly type: 'later' | 'refused'; readonly error: DeskError };

/** The first step of a removal. Only for a Key that the ledger has released. `isCertain`: the new file has arrived. */
export const beginRemoval = (isCertain: boolean): Removal => ({ step: isCertain ? 'remove' : 'look', tries: 0 });

/** The next step after an attempt to let the service list the new file. */
export const afterLook = (now: Removing, outcome: LookOutcome): Removal => {
  if ('error' in outcome) return removeAgain(now, outcome);
  return outcome.type === 'there' ? { step: 'remove', tries: 0 } : { step: 'end', end: 'kept' };
};

/** The next step after an attempt to remove the Key. */
export const afterRemoval = (now: Removing, outcome: SettleOutcome): Removal =>
  outcome.type === 'settled' ? { step: 'end', end: 'removed' } : removeAgain(now, outcome);

const removeAgain = (
  now: Removing,
  { type, error }: { readonly type: 'later' | 'refused'; readonly error: DeskError },
): Removal => {
  const tries = now.tries + 1;
  return type === 'later' && tries < STEP_RETRY.attempts
    ? { ...now, tries, error }
    : { step: 'end', end: 'failed', error };
};

type Going = Exclude<Transfer, { step: 'end' }>;

/** Repeats the step, or ends if its attempts are used up. */
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
