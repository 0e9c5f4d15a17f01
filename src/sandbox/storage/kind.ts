/**
 * The interface of a kind of storage: its signed URLs, its checks and its responses. `plain.ts` is the sandbox's own
 * kind.
 */

/**
 * The parts of a request that a signature can cover. `path` and `query` are as they were sent; names of headers are in
 * lower case.
 */
export type SignedRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** An error response of a storage. `more`: further elements of its XML. */
export type StorageError = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly more?: Readonly<Record<string, string>>;
};

export type StoredResponse = { readonly status: 200 | 201; readonly headers: Readonly<Record<string, string>> };

/** Follows one PUT with a valid signature while its body is received. */
type Reception = {
  readonly update: (chunk: Uint8Array) => void;
  /** To be called after the whole body was received. Returns an error if the body must not be stored. */
  readonly refusal: () => StorageError | undefined;
  /** Returns the response for the stored object. `md5`: its MD5, in hex. */
  readonly stored: (md5: string) => StoredResponse;
};

/** A PUT that passed all checks. Its body has not been read yet. */
type AcceptedPut = {
  readonly key: string;
  readonly request: SignedRequest;
  readonly body: AsyncIterable<Uint8Array>;
  readonly store: (content: AsyncIterable<Uint8Array>, sizeBytes: number) => Promise<unknown>;
};

export type StorageKind = {
  /**
   * Returns the query of the signed URL for a PUT. `atMs`, `endMs`: when the URL begins and ceases to be valid, in ms
   * since 1970.
   */
  readonly sign: (target: {
    readonly host: string;
    readonly path: string;
    readonly atMs: number;
    readonly endMs: number;
  }) => string;
  /** Checks a request before its body is received. Returns an error to refuse the request. */
  readonly check: (request: SignedRequest, nowMs: number) => StorageError | undefined;
  /**
   * Checks the length of a body (undefined if the request does not state it). Returns an error to refuse the request.
   * `isChunked`: the request has a Transfer-Encoding.
   */
  readonly checkLength: (
    sizeBytes: number | undefined,
    isChunked: boolean,
    mostBytes: number,
  ) => StorageError | undefined;
  readonly receive: (request: SignedRequest) => Reception;
  /**
   * Handles a PUT whose body is only a part of an object. Returns undefined, without reading the body, if the body is a
   * whole object.
   */
  readonly putPart?: (put: AcceptedPut) => Promise<StorageError | StoredResponse> | undefined;
  readonly expired: (endMs: number) => StorageError;
};

/**
 * Creates a length check. It returns `missing` for a body without a length or with a Transfer-Encoding, and `tooLarge`
 * for a body larger than `mostBytes`.
 */
export const lengthCheck =
  (missing: StorageError, tooLarge: StorageError): StorageKind['checkLength'] =>
  (sizeBytes, isChunked, mostBytes) => {
    if (sizeBytes === undefined || isChunked) return missing;
    return sizeBytes > mostBytes ? tooLarge : undefined;
  };

/** Returns the XML document of an error, in the format of S3, which other storages also use. */
export const errorDocument = ({ code, message, more = {} }: Omit<StorageError, 'status'>): string => {
  const elements = Object.entries({ Code: code, Message: message, ...more });
  const body = elements.map(([name, text]) => `<${name}>${escaped(text)}</${name}>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${body}</Error>`;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
