import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { AssignmentList, InspectionPoint, OrderableEvent, ProtocolPage } from '../../contract/resources.ts';
import { createRandom, createSampleData, sampleId, sampleIndex } from './sample-data.ts';

const data = createSampleData(7, 120);
const protocols = data.protocolPage(1, 120, '').Items;

test('every record has the interface’s shape', () => {
  expect(ProtocolPage.parse(data.protocolPage(1, 50, ''))).toEqual(data.protocolPage(1, 50, ''));
  expect(z.array(OrderableEvent).parse(data.events)).toHaveLength(12);
  expect(AssignmentList.parse(data.projectAssignments(undefined)).Count).toBe(60);
  for (const { InspectionProtocolId, Points } of protocols) {
    expect(z.array(InspectionPoint).parse(data.pointsOf(InspectionProtocolId))).toHaveLength(Points);
    expect([1, 2, 3, 4]).toContain(AssignmentList.parse(data.assignmentsOf(InspectionProtocolId)).Count);
  }
});

test('the same seed gives the same data, another seed other data', () => {
  expect(createSampleData(7, 120).protocolPage(2, 50, '')).toEqual(data.protocolPage(2, 50, ''));
  expect(createSampleData(8, 120).protocolPage(2, 50, '')).not.toEqual(data.protocolPage(2, 50, ''));
});

test('pages have no gaps or overlaps, and the last one is shorter', () => {
  const pages = [1, 2, 3].map((page) => data.protocolPage(page, 50, ''));
  expect(pages.map(({ Count, CurrentPage }) => [Count, CurrentPage])).toEqual([
    [50, 1],
    [50, 2],
    [20, 3],
  ]);
  expect(pages.flatMap(({ Items }) => Items)).toEqual(protocols);
  expect(data.protocolPage(4, 50, '')).toEqual({ Items: [], Count: 0, TotalCount: 120, CurrentPage: 4 });
});

test('a search finds exactly the protocols that contain the text, ignoring case', () => {
  const expected = protocols.filter(({ City }) => City === 'Göteborg');
  const found = data.protocolPage(1, 120, 'GÖTEBORG');
  expect(expected.length).toBeGreaterThan(0);
  expect(found.Items).toEqual(expected);
  expect(found.TotalCount).toBe(expected.length);
  expect(data.protocolPage(1, 50, protocols[3]?.FacilityId.toLowerCase() ?? '').Items).toEqual([protocols[3]]);
});

test('finds exactly the listed assignments', () => {
  const listed = protocols.flatMap(({ InspectionProtocolId }) => data.assignmentsOf(InspectionProtocolId)?.Items ?? []);
  for (const assignment of [...listed, ...data.projectAssignments(undefined).Items]) {
    expect(data.assignment(assignment.AssignmentId)?.summary).toEqual(assignment);
  }
  expect(data.assignment(protocols[0]?.InspectionProtocolId ?? '')).toBeUndefined();
  expect(data.assignmentsOf(listed[0]?.AssignmentId ?? '')).toBeUndefined();
});

test('each project assignment belongs to one county', () => {
  const oslo = data.projectAssignments('oslo');
  expect(oslo.Count).toBeGreaterThan(0);
  expect(oslo.Items.every(({ City }) => City === 'Oslo')).toBe(true);
  expect(data.projectAssignments('Atlantis').Items).toEqual([]);
});

test('some assignments have files of the customer from the start', () => {
  const files = data
    .projectAssignments(undefined)
    .Items.flatMap(({ AssignmentId }) => [...(data.assignment(AssignmentId)?.files ?? [])]);
  expect(new Set(files.map(({ UploadedBy }) => UploadedBy))).toContain('CUSTOMER');
  expect(new Set(files.map(({ Key }) => Key)).size).toBe(files.length);
});

const index = fc.nat(2 ** 31 - 1);

test('an id is a version 4 uuid from which its index can be read', () => {
  fc.assert(
    fc.property(fc.nat(), index, (seed, at) => {
      const id = sampleId(seed, 'protocol', at);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(sampleIndex(seed, 'protocol', id, at + 1)).toBe(at);
      expect(sampleIndex(seed, 'protocol', id.toUpperCase(), at + 1)).toBe(at);
    }),
  );
});

test('finds no index for an id of another kind, another seed or beyond the limit', () => {
  fc.assert(
    fc.property(fc.nat(), index, (seed, at) => {
      const id = sampleId(seed, 'protocol', at);
      expect(sampleIndex(seed, 'project', id, 2 ** 31)).toBeUndefined();
      expect(sampleIndex(seed + 1, 'protocol', id, 2 ** 31)).toBeUndefined();
      expect(sampleIndex(seed, 'protocol', id, at)).toBeUndefined();
    }),
  );
});

test('finds no index for text that is not a uuid', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(sampleIndex(1, 'protocol', text, 2 ** 31)).toBeUndefined();
    }),
  );
});

test('integers stay within their bounds and reach both', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = createRandom(seed);
      const drawn = new Set(Array.from({ length: 300 }, () => random.integer(-1, 2)));
      expect([...drawn].sort()).toEqual([-1, 0, 1, 2]);
    }),
  );
});

test('a probability of 0 never happens, one of 1 always', () => {
  const random = createRandom('chance');
  expect(Array.from({ length: 50 }, () => random.chance(0))).not.toContain(true);
  expect(Array.from({ length: 50 }, () => random.chance(1))).not.toContain(false);
});
