/** What the upload engine tells the thread that hashes. It answers each part, in their order. */

/** Of a content, in hex; `md5` where it was asked for. */
export type Digests = { readonly sha256: string; readonly md5: string | undefined };

/** `id`: a number that the engine gives the content. */
export type HashMessage =
  | { readonly type: 'part'; readonly id: number; readonly part: Uint8Array; readonly md5: boolean }
  /** The content is whole: answered with its digests. */
  | { readonly type: 'last'; readonly id: number; readonly part: Uint8Array; readonly md5: boolean }
  /** The rest of the content will not come. Not answered. */
  | { readonly type: 'drop'; readonly id: number };

/** That a part was hashed; after the last one, the content's digests. */
export type HashAnswer = Digests | undefined;
