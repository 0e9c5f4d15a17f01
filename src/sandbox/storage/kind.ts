/** The interface of a kind of storage: its signed URLs, its checks and its responses. The sandbox's own is `plain.ts`. */

/**
 * The parts of a request that its signature is made of. `query`: as it was sent; names of headers are in lower case.
 */
export type SignedRequest = {
  readonly method: string;
  /** As it was sent, percent-encoded. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** `more`: further elements of its XML. */
export type StorageError = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly more?: Readonly<Record<string, string>>;
};

export type StoredResponse = { readonly status: 200 | 201; readonly headers: Readonly<Record<string, string>> };

/** One PUT whose signature is valid, while its body is received. */
type Reception = {
  readonly update: (chunk: Uint8Array) => void;
  /** Called after the whole body was received. Returns the error if the body is not to be stored. */
  readonly refusal: () => StorageError | undefined;
  /** The response once the object is stored. `md5`: the MD5 of the object, in hex. */
  readonly stored: (md5: string) => StoredResponse;
};

/** A PUT that was accepted. */
type AcceptedPut = {
  readonly key: string;
  readonly request: SignedRequest;
  readonly body: AsyncIterable<Uint8Array>;
  /** Stores an object of this size under the key. */
  readonly store: (content: AsyncIterable<Uint8Array>, sizeBytes: number) => Promise<unknown>;
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
  /** Handles a PUT whose body is not a whole object. Returns undefined, without reading the body, if it is one. */
  readonly putPart?: (put: AcceptedPut) => Promise<StorageError | StoredResponse> | undefined;
  /** The error for a URL that expired at `endMs`. */
  readonly expired: (endMs: number) => StorageError;
};

/**
 * Refuses a body without a length or with Transfer-Encoding by the error `missing`, and one above `mostBytes` by the
 * error `tooLarge`.
 */
export const lengthCheck =
  (missing: StorageError, tooLarge: StorageError): StorageKind['checkLength'] =>
  (sizeBytes, isChunked, mostBytes) => {
    if (sizeBytes === undefined || isChunked) return missing;
    return sizeBytes > mostBytes ? tooLarge : undefined;
  };

/** The XML document of an error, in the format of S3, which other services use, too. */
export const errorDocument = ({ code, message, more = {} }: Omit<StorageError, 'status'>): string => {
  const elements = Object.entries({ Code: code, Message: message, ...more });
  const body = elements.map(([name, text]) => `<${name}>${escaped(text)}</${name}>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${body}</Error>`;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
