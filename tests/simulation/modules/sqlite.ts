/**
 * Replaces `node:sqlite`: databases are in memory and belong to the disk of the history. A process that opens the same
 * path again finds the committed data. A full disk refuses every change.
 */
import { DatabaseSync as RealDatabase, type StatementSync } from 'node:sqlite';
import { present } from '../present.ts';

export * from 'node:sqlite';

const SQLITE_FULL = 13;
const TEMPORARY =
  "SELECT type, name FROM sqlite_temp_schema WHERE type IN ('table', 'trigger', 'view') AND name NOT GLOB 'sqlite_*'";

const databaseAt = (path: string): RealDatabase => {
  const { databases } = present();
  const found = databases.get(path);
  if (found === undefined) {
    const made = new RealDatabase(':memory:');
    databases.set(path, made);
    return made;
  }
  // The transaction and the temporary tables of the earlier process ended with it.
  if (found.isTransaction) found.exec('ROLLBACK');
  for (const { type, name } of found.prepare(TEMPORARY).all()) found.exec(`DROP ${type} IF EXISTS temp.${name}`);
  return found;
};

const CHANGE = /^\s*(insert|update|delete|replace|begin immediate)/i;

export function DatabaseSync(path: string) {
  if (path === ':memory:' || path === '') return new RealDatabase(path);
  const real = databaseAt(path);
  let isOpen = true;
  const assertUsable = (isChange: boolean): void => {
    if (!isOpen) throw Object.assign(new Error('database is not open'), { code: 'ERR_INVALID_STATE' });
    if (isChange && present().disk.isFull())
      throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: SQLITE_FULL });
  };
  const prepare = (sql: string): StatementSync => {
    const statement = real.prepare(sql);
    const isChange = CHANGE.test(sql);
    for (const name of ['run', 'get', 'all', 'iterate'] as const) {
      const call: (...values: never[]) => unknown = statement[name].bind(statement);
      const checked = (...values: never[]): unknown => {
        assertUsable(isChange);
        return call(...values);
      };
      Object.assign(statement, { [name]: checked });
    }
    return statement;
  };
  const close = (): void => {
    isOpen = false;
    if (real.isTransaction) real.exec('ROLLBACK');
  };
  return {
    get isTransaction() {
      return real.isTransaction;
    },
    prepare: (sql: string) => {
      assertUsable(false);
      return prepare(sql);
    },
    exec: (sql: string): void => {
      assertUsable(CHANGE.test(sql));
      real.exec(sql);
    },
    function: real.function.bind(real),
    close,
    [Symbol.dispose]: close,
  };
}
