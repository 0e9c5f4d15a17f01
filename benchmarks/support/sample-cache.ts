/** Fills a cache with any number of sample protocols, and returns texts that a user would type to find them. */
import { DatabaseSync } from 'node:sqlite';
import type { Cache } from '../../src/main/cache/cache.ts';
import type { List } from '../../src/main/cache/responses.ts';
import { rowsOf } from '../../src/main/cache/tables.ts';
import {
  assignmentCount,
  assignmentSlots,
  protocolAssignment,
  samplePoints,
  sampleProtocol,
} from '../../src/sandbox/sample/sample-data.ts';

const pageSize = 1000;
const seed = 1;

/** Stores `total` protocols of the default sandbox as if they had been read page by page. */
export const fillCache = async (cache: Cache, connectionId: string, total: number): Promise<void> => {
  for (let page = 1; (page - 1) * pageSize < total; page += 1) {
    const first = (page - 1) * pageSize;
    const Items = Array.from({ length: Math.min(pageSize, total - first) }, (_, index) =>
      sampleProtocol(seed, first + index, total),
    );
    await cache.putProtocols(
      cache.beginRequest(connectionId),
      { Items, Count: Items.length, TotalCount: total, CurrentPage: page },
      {},
      Date.now(),
    );
  }
};

/** Stores the assignments and inspection points of the protocols that `fillCache` stores, as if each had been read. */
export const fillAnswers = async (cache: Cache, connectionId: string, total: number): Promise<void> => {
  const put = (name: string, value: List): Promise<void> =>
    cache.putResponse(cache.beginRequest(connectionId), name, {
      value,
      unreadable: 0,
      source: 'service',
      fetchedAtMs: Date.now(),
    });
  for (let index = 0; index < total; index += 1) {
    const { InspectionProtocolId: id, Points } = sampleProtocol(seed, index, total);
    const Items = Array.from({ length: assignmentCount(seed, index) }, (_, slot) =>
      protocolAssignment(seed, index * assignmentSlots + slot, total),
    );
    await put(`assignments/${id}`, { Items, Count: Items.length, TotalCount: Items.length });
    await put(`points/${id}`, samplePoints(seed, index, Points));
  }
};

/** The assignments of protocol `index` of `total`. Every other protocol has two assignments, the others have one. */
export const assignmentsOf = (index: number, total: number) =>
  Array.from({ length: 1 + (index % 2) }, (_, slot) => protocolAssignment(seed, index * assignmentSlots + slot, total));

/**
 * Adds the assignments of all protocols, and the lists that name them, to the cache at `path`. Writes them directly
 * into the database in one transaction: storing the responses of 200,000 protocols one by one would take an hour.
 */
export const fillAssignments = (path: string, connectionId: string, total: number): void => {
  const db = new DatabaseSync(path);
  const no = Number(db.prepare('SELECT no FROM connection WHERE key = ?').get(connectionId)?.no);
  const add = db.prepare('INSERT INTO assignment VALUES (?, ?, ?, ?, ?, ?)');
  const list = db.prepare('INSERT INTO listed VALUES (?, ?, ?)');
  const answer = db.prepare(
    `INSERT INTO response (connection, name, frame, parts, unreadable, fetched_ms) VALUES (?, ?, ?, 0, 0, ?)`,
  );
  let row = rowsOf(no).first;
  db.exec('BEGIN');
  for (let index = 0; index < total; index += 1) {
    const name = `assignments/${sampleProtocol(seed, index, total).InspectionProtocolId}`;
    const items = assignmentsOf(index, total);
    const frame = { Items: [], Count: items.length, TotalCount: items.length };
    answer.run(no, name, JSON.stringify(frame), Date.now());
    for (const item of items) {
      add.run(row, no, item.AssignmentId, item.AssignmentStatus, JSON.stringify(item), Date.now());
      list.run(no, name, item.AssignmentId);
      row += 1;
    }
  }
  db.exec('COMMIT');
  db.close();
};

/**
 * Texts to search for: the addresses of `count` protocols spread over `total`, and their cities with the first word of
 * the address.
 */
export const searchTexts = (count: number, total: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => sampleProtocol(seed, (index * 997) % total, total)).flatMap(
    ({ Address, City }) => [Address, `${City} ${Address.split(' ')[0]}`],
  );

/** The prefixes of `text`, which are the queries of its keystrokes. */
export const keystrokes = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, end) => text.slice(0, end + 1));
