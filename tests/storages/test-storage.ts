/** A storage for tests, with the errors that its service documents. */
import type { StorageError, StorageKind } from '../../src/sandbox/storage/kind.ts';

/** An account of the service: its id, and the key that signs. */
export type Account = { readonly id: string; readonly key: string };

/** The documented errors of a service, by their codes. */
export type StorageErrors = Readonly<Record<string, Omit<StorageError, 'code'>>>;

/** `errors`: those that the storage returns for an object. */
export type TestStorage = StorageKind & { readonly errors: StorageErrors };

/** The documented errors of a service, made from their messages by status and code. */
export const errorsBy = (messages: Readonly<Record<number, Readonly<Record<string, string>>>>): StorageErrors =>
  Object.fromEntries(
    Object.entries(messages).flatMap(([status, ofStatus]) =>
      Object.entries(ofStatus).map(([code, message]) => [code, { status: Number(status), message }]),
    ),
  );

/**
 * Returns the documented error with this code. `change`: the message or the elements that depend on the request. Throws
 * if `errors` lacks the code.
 */
export const errorOf = (
  errors: StorageErrors,
  code: string,
  change: Partial<Pick<StorageError, 'message' | 'more'>> = {},
): StorageError => {
  const error = errors[code];
  if (!error) throw new Error(`the storage has no error ${code}`);
  return { code, ...error, ...change };
};
