import { expect, test } from 'vitest';
import { calls } from '../../contract/calls.ts';
import { parseInSlices } from './parse-in-slices.ts';

const events = Array.from({ length: 5_500 }, (_, n) => ({ EventId: `E${n}`, EventName: `Event ${n}` }));
const reading = <T>(value: T) => ({ value, unreadable: 0, source: 'service', fetchedAtMs: 1 });
const schema = calls.orderableEvents.list.output;

/** How often other work could run until `work` ended. */
const turnsDuring = async (work: Promise<unknown>): Promise<number> => {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work;
  isDone = true;
  return turns;
};

test('A10: a long list is parsed in slices, and comes out whole', async () => {
  const parsing = parseInSlices(schema, reading(events.map((event) => ({ ...event, secret: 'x' }))));
  expect(await turnsDuring(parsing)).toBeGreaterThanOrEqual(5);
  expect(await parsing).toEqual(reading(events));
});

test('A10: a long list beside its counts is parsed in slices, too', async () => {
  const item = { Address: 'A', City: '', ZipCode: '', FacilityId: '', InspectionDate: 1, Points: 0 };
  const Items = events.map(({ EventId: InspectionProtocolId }) => ({ ...item, InspectionProtocolId }));
  const page = reading({ Items, Count: Items.length, TotalCount: Items.length, CurrentPage: 1 });
  expect(await parseInSlices(calls.protocols.list.output, page)).toEqual(page);
});

test('an item that is not of the contract is refused wherever it stands', async () => {
  await expect(parseInSlices(schema, reading([...events, { EventId: 1 }]))).rejects.toThrow('EventId');
});
