/** Removing a file from an assignment, and taking over what the service's answer tells of the rest. */
import { DeskError } from '../../../contract/errors.ts';
import type { AssignmentFiles } from '../../../contract/resources.ts';
import { withRetry } from '../../async/retry.ts';
import type { Sleep } from '../../async/sleep.ts';
import type { AssignmentRef } from '../ledger/known-files.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** Whose session a call is made with; absent: that of whoever is signed in. Errors: `upload/other-session`. */
export type OfUser = { readonly subject?: string | undefined };

export type RemovalService = {
  /** Undefined where the file is gone but the service did not say what is left. */
  readonly removeFile: (
    request: { readonly AssignmentId: string; readonly Key: string },
    options?: { readonly signal?: AbortSignal } & OfUser,
  ) => Promise<AssignmentFiles | undefined>;
};

export type Removal = { readonly ledger: Ledger; readonly service: RemovalService; readonly now: () => number };

/**
 * Removes `key` from the assignment; answers what the service says is left.
 * Errors: the service's. After `service/not-found` the file is not known any more, either.
 */
export const removeFile = async (
  { ledger, service, now }: Removal,
  assignment: AssignmentRef,
  key: string,
  signal?: AbortSignal,
): Promise<AssignmentFiles | undefined> => {
  const askedMs = now();
  try {
    const answer = await service.removeFile(
      { AssignmentId: assignment.assignmentId, Key: key },
      signal ? { signal } : {},
    );
    await ledger.commit(() => {
      ledger.knownFiles.removed(assignment, key);
      if (answer) ledger.knownFiles.answered(assignment, answer, askedMs, now());
    });
    return answer;
  } catch (error) {
    if (isNotFound(error)) await ledger.commit(() => ledger.knownFiles.removed(assignment, key));
    throw error;
  }
};

/**
 * Makes sure that the assignment does not hold `key` (any more), trying again where that can help. False where it did
 * not: a Key that the service does not know holds nothing.
 * Errors: the service's, but for `service/not-found`.
 */
export const takeBack = async (
  { sleep, ...removal }: Removal & { readonly sleep: Sleep },
  assignment: AssignmentRef,
  key: string,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    await withRetry(() => removeFile(removal, assignment, key, signal), { attempts: 4, signal, sleep });
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
};

/** Whether the service does not know what it was asked about. */
export const isNotFound = (error: unknown): boolean => error instanceof DeskError && error.code === 'service/not-found';
