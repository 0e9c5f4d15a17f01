/**
 * The stored progress of the offline walk. Every pass has a number, which is stored with each protocol that it sees. A protocol
 * that a complete pass did not see no longer exists at the service.
 */
import type { DatabaseSync } from 'node:sqlite';
import { DeskError } from '../../contract/errors.ts';
import type { Connections } from './tables.ts';

type Pass = {
  /** The pass has started and is not complete. */
  readonly running: boolean;
  /** The page to read next; undefined for the first page, and once all were read (`listed`). */
  readonly nextPage: number | undefined;
  readonly listed: boolean;
  /** How many protocols could not be read. */
  readonly unreadable: number;
  /** `TotalCount` of the last page. */
  readonly total: number;
  readonly completedAtMs: number | undefined;
  /** Something was removed since the pass was begun or continued, because the cache had reached its limit. */
  readonly trimmed: boolean;
};

/** With the number of protocols seen in this pass, of those it is done with, and of those among them that it skipped. */
type PassProgress = Pass & { readonly seen: number; readonly done: number; readonly skipped: number };

/** More than the number of pages, protocols or passes can ever be. */
const MOST = 10_000_000;

/** The last time that a `Date` can hold. */
const LAST_MS = 8.64e15;

/**
 * Removes progress that no pass can have written, such as an impossible number of protocols; the next pass then starts
 * from the beginning. Returns whether there was any. Errors: `data/corrupt` if a connection has such a number.
 */
export const forgetUnreadable = (db: DatabaseSync): boolean => {
  const unusable = db.prepare(`SELECT 1 FROM connection WHERE max(no, pass) > ${MOST} OR min(no, pass) < 0`);
  if (unusable.get()) throw new DeskError('data/corrupt', 'a connection has an impossible number');
  const counts = ['next_page', 'unreadable', 'total'].map((column) => `${column} NOT BETWEEN 0 AND ${MOST}`);
  const forget = db.prepare(
    `DELETE FROM keep_all WHERE ${counts.join(' OR ')} OR completed_ms NOT BETWEEN 0 AND ${LAST_MS}`,
  );
  return forget.run().changes > 0;
};

/** The last pass that has read both the assignments and the inspection points of a protocol. */
const READ = 'min(coalesce(assignments_pass, 0), coalesce(points_pass, 0))';

/** The last pass that read or skipped a protocol's details. The index has the same expression. */
const DONE = `max(skipped_pass, ${READ})`;

export const createPasses = (db: DatabaseSync, connections: Connections) => {
  const get = db.prepare('SELECT * FROM keep_all WHERE connection = ?');
  const begin = db.prepare(
    `INSERT INTO keep_all (connection, running, begun, unreadable, total) VALUES (?, 1, 0, 0, 0)
     ON CONFLICT DO UPDATE SET running = 1, next_page = NULL, begun = 0, unreadable = 0, total = 0`,
  );
  const proceed = db.prepare('UPDATE keep_all SET trimmed = 0 WHERE connection = ?');
  const page = db.prepare(
    `UPDATE keep_all SET begun = 1, next_page = ?, unreadable = unreadable + ?, total = ? WHERE connection = ?`,
  );
  const relist = db.prepare('UPDATE keep_all SET begun = 0, next_page = NULL, unreadable = 0 WHERE connection = ?');
  const end = db.prepare('UPDATE keep_all SET running = 0, completed_ms = ? WHERE connection = ?');
  const seen = db.prepare('SELECT count(*) AS n FROM protocol WHERE connection = ? AND pass = ?');
  const done = db.prepare(`SELECT count(*) AS n FROM protocol WHERE connection = ? AND pass = ? AND ${DONE} >= ?`);
  const skipped = db.prepare(
    `SELECT count(*) AS n FROM protocol WHERE connection = ?1 AND pass = ?2
       AND skipped_pass > 0 AND skipped_pass = ?2 AND ${READ} < ?2`,
  );
  const toRead = db.prepare(`SELECT id FROM protocol WHERE connection = ? AND pass = ? AND ${DONE} < ? LIMIT ?`);
  const skip = db.prepare('UPDATE protocol SET skipped_pass = ? WHERE connection = ? AND id = ?');
  const sweep = createSweep(db);

  const pass = (connectionId: string): Pass => {
    const row = get.get(connections.no(connectionId));
    return {
      running: row?.running === 1,
      nextPage: row?.next_page == null ? undefined : Number(row.next_page),
      listed: row?.begun === 1 && row.next_page === null,
      unreadable: Number(row?.unreadable ?? 0),
      total: Number(row?.total ?? 0),
      completedAtMs: row?.completed_ms == null ? undefined : Number(row.completed_ms),
      trimmed: row?.trimmed === 1,
    };
  };

  return {
    /** Fast at any size of the cache. */
    pass,
    /** Slower than `pass`, because it counts protocols. */
    passProgress: (connectionId: string): PassProgress => {
      const no = connections.no(connectionId);
      const current = connections.pass(connectionId);
      return {
        ...pass(connectionId),
        seen: Number(seen.get(no, current)?.n),
        done: Number(done.get(no, current, current)?.n),
        skipped: Number(skipped.get(no, current)?.n),
      };
    },
    /** Starts a pass, or continues the one in progress. */
    beginPass: (connectionId: string): void => {
      const no = connections.no(connectionId);
      proceed.run(no);
      if (get.get(no)?.running === 1) return;
      connections.beginPass(connectionId);
      begin.run(no);
    },
    /** A page was read and stored. `next`: the page after it; undefined after the last. */
    pageRead: (
      connectionId: string,
      {
        next,
        unreadable,
        total,
      }: { readonly next: number | undefined; readonly unreadable: number; readonly total: number },
    ): void => void page.run(next ?? null, unreadable, total, connections.no(connectionId)),
    /**
     * Restarts at the first page, because protocols moved between pages during the reading. Protocols already seen have
     * to be seen again, since they may no longer exist.
     */
    relist: (connectionId: string): void => {
      connections.beginPass(connectionId);
      relist.run(connections.no(connectionId));
    },
    /** Up to `limit` protocols whose assignments or inspection points this pass has not read. */
    protocolsToRead: (connectionId: string, limit: number): readonly string[] => {
      const current = connections.pass(connectionId);
      return toRead.all(connections.no(connectionId), current, current, limit).map(({ id }) => String(id));
    },
    /** The service refuses the details of a protocol: this pass skips it. */
    skipProtocol: (connectionId: string, protocol: string): void =>
      void skip.run(connections.pass(connectionId), connections.no(connectionId), protocol),
    /** Ends the pass. `sweeping`: removes the protocols that it did not see. */
    completePass: (connectionId: string, sweeping: boolean, atMs: number): void => {
      if (sweeping) sweep(connectionId, connections.no(connectionId), connections.pass(connectionId));
      end.run(atMs, connections.no(connectionId));
    },
  };
};

/** Removes the protocols older than `pass`, their responses, and the assignments that no other response lists. */
const createSweep = (db: DatabaseSync) => {
  const gone = 'SELECT id FROM protocol WHERE connection = ?1 AND pass < ?2';
  const names = `SELECT 'assignments/' || id FROM (${gone}) UNION ALL SELECT 'points/' || id FROM (${gone})`;
  const answers = db.prepare(`DELETE FROM answer WHERE connection = ?3 AND name IN (${names})`);
  const listed = db.prepare(`DELETE FROM listed WHERE connection = ?1 AND answer IN (${names})`);
  const assignments = db.prepare(
    `DELETE FROM assignment WHERE connection = ? AND id NOT IN (SELECT assignment FROM listed WHERE connection = ?)`,
  );
  const protocols = db.prepare('DELETE FROM protocol WHERE connection = ? AND pass < ?');
  return (connectionId: string, no: number, pass: number): void => {
    answers.run(no, pass, connectionId);
    listed.run(no, pass);
    assignments.run(no, no);
    protocols.run(no, pass);
  };
};
