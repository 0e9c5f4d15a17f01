/** Lists of the maximum size, and larger ones. */
import { followed, streams } from './attacks.ts';
import type { Attack } from './start-hostile-service.ts';

/** A list of 20 million `{}`, 60 MB. */
export const smallItems: Attack = streams(() =>
  followed(
    '[{}',
    Array.from({ length: 200 }, () => ',{}'.repeat(100_000)),
  ),
);

export const protocol = (n: number) => ({
  Address: `${n} ${'Long Street '.repeat(3)}`,
  City: `City ${n % 100}`,
  ZipCode: String(n % 10_000),
  FacilityId: `F${n}`,
  InspectionProtocolId: `11111111-1111-1111-1111-${String(n).padStart(12, '0')}`,
  InspectionDate: n,
  Points: 3,
});
export const assignment = (n: number) => {
  const { Address, City, FacilityId, InspectionProtocolId: AssignmentId } = protocol(n);
  const names = { FirstName: `First ${n}`, LastName: `Last ${n}`, Performer: 'P', AssignmentStatus: 'S' };
  return { AssignmentId, FacilityId, ...names, Address, City, StartTime: n };
};

/** Creates an inspection point of about 800 characters as JSON, with a long description of a fault. */
export const point = (n: number) => ({
  ProtocolInspectionPointId: `22222222-2222-2222-2222-${String(n).padStart(12, '0')}`,
  InspectionPointName: `Roof covering ${n}`,
  ProductType: 'Roof',
  Category: 'Exterior',
  Answer: `Damaged ${n}`,
  SpecificReference: `Building ${n % 20}`,
  Severity: 'High',
  Description: `${n} ${'Several tiles are broken. '.repeat(18)}`,
  HasImage: n % 2 === 0,
});

/** Yields a page with `count` items from `first` on, of a list with `TotalCount` items. */
export function* pageOf(
  make: (n: number) => object,
  first: number,
  count: number,
  TotalCount: number,
  CurrentPage: number,
) {
  yield '{"Items":[';
  for (let n = 0; n < count; n += 1) yield `${n === 0 ? '' : ','}${JSON.stringify(make(first + n))}`;
  yield `],"Count":${count},"TotalCount":${TotalCount},"CurrentPage":${CurrentPage}}`;
}
