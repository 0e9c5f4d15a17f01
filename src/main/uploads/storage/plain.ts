/** Any other storage that takes a PUT to a signed address. */
import type { Dialect } from './dialect.ts';

/** What its query or its ETag says is not known, so neither is read. */
export const plain: Dialect = {
  name: 'plain',
  headers: {},
  takesMd5: false,
  expiresAtMs: undefined,
  meaningOf: ({ status, text }) =>
    [400, 401, 403, 410].includes(status) && /expired/i.test(text) ? 'expired' : undefined,
  tellsMd5: false,
  storedMd5: () => undefined,
};
