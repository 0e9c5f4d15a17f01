/**
 * Protocols that the service finds for a text and the local index of words does not: the service may search parts of
 * words, or fields that are not in the list. Remembered until the app ends.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { ProtocolSummary } from '../../contract/resources.ts';
import { beginsWords } from './words.ts';

type FoundByService = {
  /** Returns whether any of `items` is new. */
  readonly put: (no: number, text: string, items: readonly ProtocolSummary[]) => boolean;
  readonly has: (no: number, text: string) => boolean;
  /** To be called when rows were removed, because their numbers may be used again. */
  readonly forget: () => void;
};

/** The number of texts that are remembered. A person types a few. */
const MOST_TEXTS = 100;

/** Uses a temporary table of `db`. */
export const createFoundByService = (db: DatabaseSync): FoundByService => {
  db.exec(
    `CREATE TEMP TABLE found (connection INTEGER, text TEXT, row INTEGER, PRIMARY KEY (connection, text, row))
     WITHOUT ROWID`,
  );
  const add = db.prepare(
    'INSERT INTO found SELECT connection, ?, row FROM protocol WHERE connection = ? AND id = ? ON CONFLICT DO NOTHING',
  );
  const any = db.prepare('SELECT 1 FROM found WHERE connection = ? AND text = ? LIMIT 1');
  const texts = db.prepare('SELECT count(DISTINCT text) AS texts FROM found');
  const clear = db.prepare('DELETE FROM found');

  return {
    put: (no, text, items) => {
      const more = items.filter(
        ({ Address, City, ZipCode, FacilityId }) => !beginsWords(text, [Address, City, ZipCode, FacilityId]),
      );
      if (more.length === 0) return false;
      if (Number(texts.get()?.texts) >= MOST_TEXTS) clear.run();
      const added = more.map(({ InspectionProtocolId }) => Number(add.run(text, no, InspectionProtocolId).changes));
      return added.some((rows) => rows > 0);
    },
    has: (no, text) => any.get(no, text) !== undefined,
    forget: () => void clear.run(),
  };
};
