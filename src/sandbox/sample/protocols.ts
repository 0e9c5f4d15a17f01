import type { ProtocolSummary } from '../../contract/resources.ts';
import { sampleId } from './ids.ts';
import { sampleAddress } from './places.ts';
import { createRandom } from './prng.ts';

/** The latest sample date. Fixed, so that the same seed gives the same data on any day. */
export const referenceTimeS = Date.UTC(2026, 9, 30) / 1000;

export const dayS = 24 * 60 * 60;
const spanS = 3 * 365 * dayS;

/**
 * Protocol number `index` of `total`, newest day first: inspection dates (seconds since 1970) fall evenly over the
 * three years before `referenceTimeS`, in working hours.
 */
export const sampleProtocol = (seed: number, index: number, total: number): ProtocolSummary => {
  const random = createRandom(seed, 'protocol', index);
  const { Address, City, ZipCode } = sampleAddress(random);
  const day = Math.floor((referenceTimeS - (spanS * index) / total) / dayS);
  return {
    Address,
    City,
    ZipCode,
    FacilityId: sampleFacilityId(index),
    InspectionProtocolId: sampleId(seed, 'protocol', index),
    InspectionDate: day * dayS + workingTimeS(random.integer(0, 15)),
    Points: random.integer(3, 40),
  };
};

/** Seconds since midnight of a half-hour slot of the working day, the first (0) at 07:00. */
export const workingTimeS = (slot: number): number => (7 + slot / 2) * 60 * 60;

/** Distinct for the first 900,000 facilities (48271 is coprime to it), but not consecutive. */
export const sampleFacilityId = (index: number): string => `FAC-${100_000 + ((index * 48_271 + 12_345) % 900_000)}`;
