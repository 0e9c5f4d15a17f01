/** The numbers of connections in the cache's tables. */
import type { DatabaseSync } from 'node:sqlite';

export type ConnectionRows = {
  readonly no: (key: string) => number;
  /** The current, or last, pass of the offline walk. */
  readonly pass: (key: string) => number;
  readonly setPass: (key: string, pass: number) => void;
};

/** The row numbers that belong to a connection: `first` to `last`. */
export const rowsOf = (no: number): { readonly first: number; readonly last: number } => ({
  first: no * 2 ** 32,
  last: (no + 1) * 2 ** 32 - 1,
});

/** The connections in `db`. A new key is added when it is first used. */
export const createConnectionRows = (db: DatabaseSync): ConnectionRows => {
  const add = db.prepare('INSERT INTO connection (key) VALUES (?) ON CONFLICT DO NOTHING');
  const get = db.prepare('SELECT no, pass FROM connection WHERE key = ?');
  const setPass = db.prepare('UPDATE connection SET pass = ? WHERE key = ?');
  const row = (key: string) => {
    const known = get.get(key);
    if (known) return known;
    add.run(key);
    return get.get(key) ?? {};
  };
  return {
    no: (key) => Number(row(key).no),
    pass: (key) => Number(row(key).pass),
    setPass: (key, pass) => {
      row(key);
      setPass.run(pass, key);
    },
  };
};
