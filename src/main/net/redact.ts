/** Removes secrets from text that should not contain any: the last line of defence. */

const rules: readonly (readonly [RegExp, string])[] = [
  // A URL keeps its path. Signatures, codes and tokens are in the query or the fragment.
  [/(\b[a-z][a-z0-9+.-]*:\/[^\s"'<>?#]*)[?#][^\s"'<>]*/gi, '$1?[cut]'],
  [/\beyJ[\w-]{4,}\.[\w-]+(\.[\w-]*)?/g, '[cut]'],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 [cut]'],
  // OAuth parameters of a form or a query. `code` and `state` in JSON are not OAuth's, but those of errors and events.
  [/\b(code|state)(=)[^\s"'&,;}]+/gi, '$1$2[cut]'],
  // Secrets and signatures outside a URL, including JSON fields.
  [
    /\b(code_verifier|client_secret|password|sig|(?:access|refresh|id)?_?token|x-(?:amz|goog)-(?:signature|credential|security-token))\b(["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi,
    '$1$2[cut]',
  ],
  // An opaque token is long and mixes upper case, lower case and digits. Hashes and UUIDs have one case only.
  [/(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{32,}(?![\w-])/g, '[cut]'],
];

/** `text` with bearer tokens, JWTs, OAuth parameters, long opaque tokens and the queries of addresses cut out. */
export const redact = (text: string): string =>
  rules.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement), text);
