/** A cache with any number of sample protocols, and what a person would type to find them. */
import type { List } from '../../src/main/async/parse-in-slices.ts';
import type { Cache } from '../../src/main/cache/cache.ts';
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
      connectionId,
      { Items, Count: Items.length, TotalCount: total, CurrentPage: page },
      {},
      Date.now(),
    );
  }
};

/** Stores the assignments and inspection points of the same protocols as if each had been read. */
export const fillAnswers = async (cache: Cache, connectionId: string, total: number): Promise<void> => {
  const put = (name: string, value: List): Promise<void> =>
    cache.putAnswer(connectionId, name, { value, unreadable: 0, source: 'service', fetchedAtMs: Date.now() });
  for (let index = 0; index < total; index += 1) {
    const { InspectionProtocolId: id, Points } = sampleProtocol(seed, index, total);
    const Items = Array.from({ length: assignmentCount(seed, index) }, (_, slot) =>
      protocolAssignment(seed, index * assignmentSlots + slot, total),
    );
    await put(`assignments/${id}`, { Items, Count: Items.length, TotalCount: Items.length });
    await put(`points/${id}`, samplePoints(seed, index, Points));
  }
};

/** Addresses, and cities with the first word of an address, of `count` protocols spread over `total`. */
export const searchTexts = (count: number, total: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => sampleProtocol(seed, (index * 997) % total, total)).flatMap(
    ({ Address, City }) => [Address, `${City} ${Address.split(' ')[0]}`],
  );

/** All prefixes of `text`: the query of each keystroke. */
export const keystrokes = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, end) => text.slice(0, end + 1));
