/**
 * What later drafts use from earlier uploads: rules.sqlite stores the assignments that users chose for folders, by the
 * folders' names, and the paths that users left out. The app works without this file.
 */
import { sep } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import { wallNow } from '../../async/clock.ts';
import { isBeyondUse, moveAside, removeAside } from '../../data/files.ts';
import {
  createRead,
  type Migrations,
  openDatabase,
  openReadOnly,
  transaction,
  translated,
  translating,
} from '../../data/sqlite.ts';
import type { Rule as MatchingRule, Rules } from '../../matching/targets.ts';

/** The user's choice for a folder, for the loose files of a folder or for a single file. `path`: on the disk. */
type PartChoice = { readonly path: string; readonly isLeftOut: boolean };

type RulePlace = { readonly path: string; readonly connectionId: string };

/**
 * A rule: the assignment that a user chose for a folder name. `name`: the name as it was written when the rule was last
 * confirmed; it may be the name of a parent folder.
 */
type Rule = Omit<MatchingRule, 'parent'> & { readonly ruleId: number; readonly confirmedAtMs: number };

/** The user's choices for rows and for single files of an upload. */
export type ChoicesByPath = { readonly rows: readonly PartChoice[]; readonly files: readonly PartChoice[] };

/**
 * What a user has decided about an upload. `nameKey`: the key of `ruleName`, which is the same for names that differ
 * only in dates, in small words such as "of", and in words of offices and trades such as "photo".
 */
type Decisions = ChoicesByPath & {
  readonly rules: readonly (Omit<MatchingRule, 'confirmedAtMs'> & { readonly nameKey: string })[];
};

export type EarlierChoice = PartChoice & { readonly atMs: number };

export type RuleStore = ReturnType<typeof createStore>;

/** New migrations are added at the end; released ones are never edited. */
const migrations: Migrations = [
  `
  CREATE TABLE rule (
    id           INTEGER PRIMARY KEY,
    connection   TEXT NOT NULL,
    name_key     TEXT NOT NULL,
    parent       TEXT NOT NULL, -- the folder that it is in
    name         TEXT NOT NULL,
    assignment   TEXT NOT NULL,
    confirmed_ms INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX rule_by_name ON rule (connection, name_key, parent);
  CREATE INDEX rule_by_time ON rule (connection, confirmed_ms);

  -- What users left out of uploads, or included although it would be left out.
  CREATE TABLE part (
    connection  TEXT NOT NULL,
    path        TEXT NOT NULL, -- of a folder, of its loose files (ends with a separator), or of one file
    is_left_out INTEGER NOT NULL,
    chosen_ms   INTEGER NOT NULL,
    PRIMARY KEY (connection, path)
  ) STRICT, WITHOUT ROWID;
  `,
];

/**
 * Opens the store. A damaged file is moved aside and replaced. The file of a newer app stays as it is; the store is
 * then empty and refuses changes. Errors: `data/unwritable`.
 */
export const openRuleStore = (path: string, onNotice: (notice: DeskError) => void): RuleStore => {
  try {
    return createStore(path);
  } catch (error) {
    if (!isBeyondUse(path, error)) throw error;
    if (error instanceof DeskError && error.code === 'data/newer') {
      onNotice(error);
      return storeOfNewerApp(path, error);
    }
    onNotice(moveAside(path, wallNow()));
    return createStore(path);
  }
};

const storeOfNewerApp = (path: string, newer: DeskError): RuleStore => {
  const refuse = (): never => {
    throw newer;
  };
  return { list: () => [], remember: refuse, set: refuse, remove: refuse, clear: refuse, close: () => {}, path };
};

/** The maximum number of rules of a connection, and of choices. Above it, the oldest are deleted. */
const MOST_RULES = 50_000;

/**
 * Opens or creates the database. Its functions throw `data/corrupt` or `data/unwritable` if the file cannot be read or
 * written.
 */
const createStore = (path: string) => {
  const db = openDatabase({ path, migrations, durability: 'full' });
  const list = createRead(db)<Rule>(
    `SELECT id AS ruleId, name, assignment AS AssignmentId, confirmed_ms AS confirmedAtMs
     FROM rule WHERE connection = ? ORDER BY confirmed_ms DESC, id DESC LIMIT ?`,
  );
  const put = db.prepare(
    `INSERT INTO rule (connection, name_key, parent, name, assignment, confirmed_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT DO UPDATE SET name = ?4, assignment = ?5, confirmed_ms = ?6`,
  );
  const makeRoom = db.prepare(
    `DELETE FROM rule WHERE connection = ?1 AND id IN (
       SELECT id FROM rule WHERE connection = ?1 ORDER BY confirmed_ms DESC, id DESC LIMIT -1 OFFSET ${MOST_RULES})`,
  );
  const set = db.prepare('UPDATE rule SET assignment = ? WHERE connection = ? AND id = ?');
  const remove = db.prepare('DELETE FROM rule WHERE connection = ? AND id = ?');
  const clear = db.prepare('DELETE FROM rule WHERE connection = ?');
  const putChoice = db.prepare(
    'INSERT INTO part VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET is_left_out = ?3, chosen_ms = ?4',
  );
  const removeChoice = db.prepare('DELETE FROM part WHERE connection = ? AND path = ?');
  const makeRoomForChoices = db.prepare(
    `DELETE FROM part WHERE connection = ?1 AND path IN (
       SELECT path FROM part WHERE connection = ?1 ORDER BY chosen_ms DESC LIMIT -1 OFFSET ${MOST_RULES})`,
  );
  const clearChoices = db.prepare('DELETE FROM part WHERE connection = ?');
  const calls = translating(path, {
    /** Returns the `limit` rules that were confirmed last, newest first. */
    list: (connectionId: string, limit: number): readonly Rule[] => list.all(connectionId, limit),
    /**
     * Stores what the user has decided about an upload. A rule replaces the rule with the same `nameKey` and `parent`,
     * even if the names are spelled differently. Stores each choice for a file and each row that is left out; for the
     * other rows, removes stored choices. Deletes the oldest rules and choices above the maximum.
     */
    remember: (connectionId: string, { rules, rows, files }: Decisions, atMs: number): void =>
      transaction(db, () => {
        for (const { nameKey, parent, name, AssignmentId } of rules)
          put.run(connectionId, nameKey, parent, name, AssignmentId, atMs);
        for (const { path, isLeftOut } of rows)
          if (isLeftOut) putChoice.run(connectionId, path, 1, atMs);
          else removeChoice.run(connectionId, path);
        for (const { path, isLeftOut } of files) putChoice.run(connectionId, path, isLeftOut ? 1 : 0, atMs);
        makeRoom.run(connectionId);
        makeRoomForChoices.run(connectionId);
      }),
    /** Changes the assignment of a rule. Returns false if there is no rule with this id. */
    set: (connectionId: string, { ruleId, AssignmentId }: Pick<Rule, 'ruleId' | 'AssignmentId'>): boolean =>
      set.run(AssignmentId, connectionId, ruleId).changes > 0,
    remove: (connectionId: string, ruleId: number): void => void remove.run(connectionId, ruleId),
    /** Removes the rules and the choices of the connection, and damaged files that were moved aside. */
    clear: (connectionId: string): void => {
      transaction(db, () => {
        clear.run(connectionId);
        clearChoices.run(connectionId);
      });
      removeAside(path);
    },
    close: (): void => db.close(),
  });
  return { ...calls, path };
};

export type RuleReader = ReturnType<typeof openRuleReader>;

/**
 * Opens the rules and choices of a connection in a worker, while the main thread has the store open. Only the rules and
 * choices that are needed are read. `onError` receives the first error, usually a `DeskError`; if `onError` does not
 * throw, nothing more is read.
 */
export const openRuleReader = ({ path, connectionId }: RulePlace, onError: (error: unknown) => void) => {
  let isBroken = false;
  const orElse = <T>(work: () => T, otherwise: T): T => {
    if (isBroken) return otherwise;
    try {
      return work();
    } catch (error) {
      isBroken = true;
      onError(error);
      return otherwise;
    }
  };
  const open = () => {
    const db = openReadOnly({ path, migrations });
    const read = createRead(db);
    const rules = read<MatchingRule>(
      `SELECT name, parent, assignment AS AssignmentId, confirmed_ms AS confirmedAtMs
       FROM rule INDEXED BY rule_by_name WHERE connection = ? AND name_key = ? ORDER BY confirmed_ms DESC, id DESC`,
    );
    const choices = read<Omit<EarlierChoice, 'isLeftOut'> & { readonly isLeftOut: number }>(
      `SELECT path, is_left_out AS isLeftOut, chosen_ms AS atMs FROM part
       WHERE connection = ?1 AND (path = ?2 OR path >= ?3 AND path < ?4)`,
    );
    return { ...translating(path, { rules: rules.all, choices: choices.all }), close: () => db.close() };
  };
  const file = orElse(() => translated(path, open), undefined);
  return {
    rules: { get: (nameKey: string) => orElse(() => file?.rules(connectionId, nameKey), undefined) } satisfies Rules,
    /** Returns the users' choices, from earlier uploads, for the folder at `root` and everything below it. */
    choicesIn: (root: string): readonly EarlierChoice[] => {
      const below = root.endsWith(sep) ? root : `${root}${sep}`;
      // The first path, in the order of the index, after all paths that begin with `below`.
      const end = below.slice(0, -1) + String.fromCharCode(sep.charCodeAt(0) + 1);
      const found = orElse(() => file?.choices(connectionId, root, below, end), undefined) ?? [];
      return found.map((one) => ({ ...one, isLeftOut: one.isLeftOut === 1 }));
    },
    close: (): void => {
      isBroken = true;
      file?.close();
    },
  };
};
