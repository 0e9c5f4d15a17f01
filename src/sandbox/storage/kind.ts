/** The interface of a kind of storage: its signed URLs, its checks and its responses. */
import type { SignedRequest } from './v4-signature.ts';

/** Who signs, and with which key. */
export type Account = { readonly id: string; readonly key: string };

/** An error as the service documents it. `more`: further elements of its XML. */
export type StorageError = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly more?: Readonly<Record<string, string>>;
};

/** Documented errors by their code. */
export type StorageErrors = Readonly<Record<string, Omit<StorageError, 'code'>>>;

export type StoredResponse = { readonly status: 200 | 201; readonly headers: Readonly<Record<string, string>> };

/** One PUT whose signature is valid, while its body is received. */
export type Reception = {
  readonly update: (chunk: Uint8Array) => void;
  /** Called after the whole body was received. Returns the error if the body is not to be stored. */
  readonly refusal: () => StorageError | undefined;
  /** The response once the object is stored. `md5`: the MD5 of the object, in hex. */
  readonly stored: (md5: string) => StoredResponse;
};

export type StorageKind = {
  /** The query of a URL for a PUT. Times in ms since 1970. */
  readonly sign: (target: {
    readonly host: string;
    readonly path: string;
    readonly atMs: number;
    readonly endMs: number;
  }) => string;
  /** The error if the request is refused before its body is received. */
  readonly check: (request: SignedRequest, nowMs: number) => StorageError | undefined;
  /**
   * The error if a body of this length, or without a length, is refused. `isChunked`: the request has a
   * Transfer-Encoding.
   */
  readonly checkLength: (
    sizeBytes: number | undefined,
    isChunked: boolean,
    mostBytes: number,
  ) => StorageError | undefined;
  readonly receive: (request: SignedRequest) => Reception;
  /** The error for a URL that expired at `endMs`. */
  readonly expired: (endMs: number) => StorageError;
  /** The errors that the storage returns, by their codes. */
  readonly errors: StorageErrors;
};

/** The documented errors of a service, made from their messages by status and code. */
export const errorsBy = (messages: Readonly<Record<number, Readonly<Record<string, string>>>>): StorageErrors =>
  Object.fromEntries(
    Object.entries(messages).flatMap(([status, ofStatus]) =>
      Object.entries(ofStatus).map(([code, message]) => [code, { status: Number(status), message }]),
    ),
  );

/**
 * The documented error with this code, with another message or more elements if they depend on the request. Throws if
 * `errors` lacks the code.
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

/** The XML document of an error, in the format of S3, which the other services use, too. */
export const errorDocument = ({ code, message, more = {} }: Omit<StorageError, 'status'>): string => {
  const elements = Object.entries({ Code: code, Message: message, ...more });
  const body = elements.map(([name, text]) => `<${name}>${escaped(text)}</${name}>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${body}</Error>`;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Refuses a body without a length or with Transfer-Encoding by the error `missing`, and one above `mostBytes` by the
 * error `tooLarge`. These are codes in `errors`.
 */
export const lengthCheck =
  (errors: StorageErrors, missing: string, tooLarge: string): StorageKind['checkLength'] =>
  (sizeBytes, isChunked, mostBytes) => {
    if (sizeBytes === undefined || isChunked) return errorOf(errors, missing);
    return sizeBytes > mostBytes ? errorOf(errors, tooLarge) : undefined;
  };
