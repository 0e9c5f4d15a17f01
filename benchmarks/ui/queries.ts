import { ProtocolTableQuery } from '../../src/contract/protocols.ts';
import type { Cache } from '../../src/main/cache/cache.ts';
import { timed } from '../support/quantiles.ts';
import { keystrokes } from '../support/sample-cache.ts';

/** Milliseconds of the cache alone for each keystroke of `texts`: in the table, sorted by a column, everywhere. */
export const measureQueries = (cache: Cache, connectionId: string, texts: readonly string[]) => {
  const typed = texts.flatMap(keystrokes);
  const table = (query: Partial<ProtocolTableQuery>) =>
    cache.protocolTable(connectionId, ProtocolTableQuery.parse({ limit: 50, ...query }));
  const search = (sort?: ProtocolTableQuery['sort']) => {
    // The table is shown before a search is typed.
    table({ sort });
    return typed.map((text) => timed(() => table({ text, sort })));
  };
  return {
    table: search(),
    sorted: search('City'),
    everywhere: typed.map((text) => timed(() => cache.find(connectionId, text, 10))),
  };
};
