/** Sample assignments, generated from the seed and their index. */
import type { AssignmentFile, AssignmentSummary } from '../../contract/resources.ts';
import { sampleId } from './ids.ts';
import { type SampleAddress, sampleAddress } from './places.ts';
import { createRandom, type Random } from './prng.ts';
import { dayS, referenceTimeS, sampleFacilityId, sampleProtocol, workingTimeS } from './protocols.ts';

/** Each protocol has room for this many assignment indexes; not all of them are taken. */
export const assignmentSlots = 4;

const firstNames = ['Ingrid', 'Lars', 'Aino', 'Søren', 'Freja', 'Oliver', 'Amelia', 'Håkon', 'Elsa', 'Mikko', 'Zoë'];
const lastNames = ['Berg', 'Lindqvist', 'Nieminen', 'Østergaard', 'Whitaker', 'Dahl', 'Åkesson', 'Haugen', "O'Neill"];
const performers = ['Nordlys Elektro AS', 'Fjord Bygg', 'Vik & Sønn', 'Harbour Maintenance Ltd', 'Talotekniikka Oy'];
const pastStatuses = ['COMPLETED', 'COMPLETED', 'IN_PROGRESS', 'PENDING', 'CANCELLED'];
const futureStatuses = ['PENDING', 'PENDING', 'PLANNED'];

/** How many assignments protocol number `protocolIndex` has: 1 to 4. */
export const assignmentCount = (seed: number, protocolIndex: number): number =>
  createRandom(seed, 'assignment-count', protocolIndex).integer(1, assignmentSlots);

/** The assignment in one slot of a protocol, at the protocol's own address and after its inspection. */
export const protocolAssignment = (seed: number, index: number, protocols: number): AssignmentSummary => {
  const protocolIndex = Math.floor(index / assignmentSlots);
  const protocol = sampleProtocol(seed, protocolIndex, protocols);
  const random = createRandom(seed, 'assignment', index);
  const day = Math.floor(protocol.InspectionDate / dayS) + random.integer(7, 150);
  return summary(random, sampleId(seed, 'assignment', index), protocol.FacilityId, protocol, day);
};

/** Project assignment number `index`, with the county it is listed under. */
export const projectAssignment = (seed: number, index: number): { county: string; assignment: AssignmentSummary } => {
  const random = createRandom(seed, 'project', index);
  const address = sampleAddress(random);
  const day = Math.floor(referenceTimeS / dayS) + random.integer(-200, 120);
  const facilityId = sampleFacilityId(450_000 + index);
  return {
    county: address.county,
    assignment: summary(random, sampleId(seed, 'project', index), facilityId, address, day),
  };
};

const summary = (
  random: Random,
  AssignmentId: string,
  FacilityId: string,
  { Address, City }: Pick<SampleAddress, 'Address' | 'City'>,
  day: number,
): AssignmentSummary => ({
  AssignmentId,
  FacilityId,
  AssignmentStatus: random.pick(day * dayS < referenceTimeS ? pastStatuses : futureStatuses),
  FirstName: random.pick(firstNames),
  LastName: random.pick(lastNames),
  Address,
  City,
  Performer: random.pick(performers),
  StartTime: day * dayS + workingTimeS(random.integer(0, 15)),
});

const fileNames = [
  'Stairwell, before.jpg',
  'Fuse box.jpg',
  'Offer 2-1.pdf',
  'Plan of the 2nd floor.pdf',
  'Fasad mot gård.png',
];

/** The files of an assignment before any upload: none to three, by various parties. */
export const sampleFiles = (seed: number, assignmentId: string): readonly AssignmentFile[] => {
  const random = createRandom(seed, 'files', assignmentId);
  return Array.from({ length: Math.max(0, random.integer(-1, 3)) }, (_, index) => ({
    Key: `assignments/${assignmentId}/${sampleId(seed, `file/${assignmentId}`, index)}`,
    FileName: random.pick(fileNames),
    UploadedBy: random.pick(['CUSTOMER', 'CUSTOMER', 'INSPECTOR', 'CONTRACTOR']),
  }));
};
