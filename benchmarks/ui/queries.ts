import { ProtocolTableQuery } from '../../src/contract/protocols.ts';
import type { Cache } from '../../src/main/cache/cache.ts';
import { timed } from '../support/quantiles.ts';
import { keystrokes } from '../support/sample-cache.ts';

/**
 * Measures the time that the cache takes for each keystroke of `texts`, in ms: in the table, in the sorted table, and
 * in the search everywhere.
 */
export const measureQueries = (cache: Cache, connectionId: string, texts: readonly string[]) => {
  const typed = texts.flatMap(keystrokes);
  const table = (query: Partial<ProtocolTableQuery>) =>
    cache.protocolTable(connectionId, ProtocolTableQuery.parse({ limit: 50, ...query }));
  const search = (sort?: ProtocolTableQuery['sort']) => {
    // Queries the table once without measuring it, because a user sees it before typing a search.
    table({ sort });
    return typed.map((text) => timed(() => table({ text, sort })));
  };
  return {
    table: search(),
    sorted: search('City'),
    everywhere: typed.map((text) => timed(() => cache.find(connectionId, text, 10))),
  };
};
