/**
 * The inspection data that the eight operations return. Records are generated on demand. A record depends only on the
 * seed, its index, the number of protocols and `laterDays`.
 */
import { once } from 'es-toolkit/function';
import { range } from 'es-toolkit/math';
import type {
  AssignmentFile,
  AssignmentList,
  AssignmentSummary,
  InspectionPoint,
  OrderableEvent,
  ProtocolPage,
  ProtocolSummary,
} from '../../contract/resources.ts';

export type SampleData = ReturnType<typeof createSampleData>;

/** Creates the sample data of `seed`, with `total` protocols. Assignments begin `laterDays` after their fixed dates. */
export const createSampleData = (seed: number, total: number, laterDays = 0) => {
  const later = (assignment: AssignmentSummary): AssignmentSummary => ({
    ...assignment,
    StartTime: assignment.StartTime + laterDays * dayS,
  });
  const projectTotal = Math.min(2000, Math.max(60, Math.floor(total / 4)));
  const protocolIndex = (id: string) => sampleIndex(seed, 'protocol', id, total);
  const projects = once(() => Array.from({ length: projectTotal }, (_, index) => projectAssignment(seed, index)));
  const searchTexts = once(() =>
    Array.from({ length: total }, (_, index) => {
      const { Address, City, ZipCode, FacilityId } = sampleProtocol(seed, index, total);
      return [Address, City, ZipCode, FacilityId].join('\n').toLowerCase();
    }),
  );

  const findAssignment = (id: string): AssignmentSummary | undefined => {
    const project = sampleIndex(seed, 'project', id, projectTotal);
    if (project !== undefined) return projectAssignment(seed, project).assignment;
    const index = sampleIndex(seed, 'assignment', id, total * assignmentSlots);
    if (index === undefined) return undefined;
    const taken = index % assignmentSlots < assignmentCount(seed, Math.floor(index / assignmentSlots));
    return taken ? protocolAssignment(seed, index, total) : undefined;
  };

  return {
    /**
     * Returns a page of the protocols that contain `query` in address, city, zip code or facility id, ignoring case.
     * `page` counts from 1.
     */
    protocolPage: (page: number, pageSize: number, query: string): ProtocolPage => {
      const start = (page - 1) * pageSize;
      const wanted = query.toLowerCase();
      const found =
        wanted === '' ? undefined : searchTexts().flatMap((text, index) => (text.includes(wanted) ? [index] : []));
      const indexes = found?.slice(start, start + pageSize) ?? range(start, Math.min(start + pageSize, total));
      return {
        Items: indexes.map((index) => sampleProtocol(seed, index, total)),
        Count: indexes.length,
        TotalCount: found?.length ?? total,
        CurrentPage: page,
      };
    },
    assignmentsOf: (protocolId: string): AssignmentList | undefined => {
      const index = protocolIndex(protocolId);
      if (index === undefined) return undefined;
      const first = index * assignmentSlots;
      const slots = range(first, first + assignmentCount(seed, index));
      return listOf(slots.map((slot) => later(protocolAssignment(seed, slot, total))));
    },
    pointsOf: (protocolId: string): readonly InspectionPoint[] | undefined => {
      const index = protocolIndex(protocolId);
      return index === undefined ? undefined : samplePoints(seed, index, sampleProtocol(seed, index, total).Points);
    },
    /** Returns all assignments for projects, or those of one county (ignoring case). */
    projectAssignments: (county: string | undefined): AssignmentList =>
      listOf(
        projects()
          .filter((project) => county === undefined || project.county.toLowerCase() === county.toLowerCase())
          .map((project) => later(project.assignment)),
      ),
    /** Returns an assignment of a protocol or of a project, with its sample files; undefined if there is none. */
    assignment: (
      assignmentId: string,
    ): { readonly summary: AssignmentSummary; readonly files: readonly AssignmentFile[] } | undefined => {
      const summary = findAssignment(assignmentId);
      return summary && { summary: later(summary), files: sampleFiles(seed, summary.AssignmentId) };
    },
    events: sampleEvents(seed),
  };
};

const listOf = (Items: AssignmentSummary[]): AssignmentList => ({
  Items,
  Count: Items.length,
  TotalCount: Items.length,
});

/**
 * The day of the latest sample inspections, in seconds since 1970. It is fixed, so that a seed gives the same data on
 * any day.
 */
const referenceTimeS = Date.UTC(2026, 9, 30) / 1000;

const dayS = 24 * 60 * 60;

/** Returns the number of whole days from `referenceTimeS` to `nowMs` (since 1970). */
export const daysSinceReference = (nowMs: number): number => Math.floor((nowMs / 1000 - referenceTimeS) / dayS);
const spanS = 3 * 365 * dayS;

/**
 * Generates the protocol number `index` of `total`, where the newest has index 0. Inspection dates (seconds since 1970)
 * are in working hours, spread evenly over the three years up to the day of `referenceTimeS`.
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

/** Returns the beginning of a half-hour slot of the working day, in seconds since midnight. Slot 0 begins at 07:00. */
const workingTimeS = (slot: number): number => (7 + slot / 2) * 60 * 60;

/**
 * Returns the facility id for `index`. The ids are not consecutive, but the first 900,000 are distinct, because 48,271
 * and 900,000 are coprime.
 */
const sampleFacilityId = (index: number): string => `FAC-${100_000 + ((index * 48_271 + 12_345) % 900_000)}`;

const topics = [
  {
    category: 'Electrical',
    prefix: 'EL',
    products: ['Distribution board', 'Socket outlet', 'Luminaire', 'Cable route'],
    points: [
      'Residual current device',
      'Earthing of exposed parts',
      'Labelling of circuits',
      'Temperature of terminals',
    ],
    findings: [
      'Circuit list is missing.',
      'Cover is cracked; live parts can be touched.',
      'Terminal shows signs of heat.',
    ],
  },
  {
    category: 'Fire safety',
    prefix: 'FS',
    products: ['Smoke detector', 'Fire door', 'Extinguisher', 'Emergency lighting'],
    points: ['Escape route is clear', 'Door closes by itself', 'Detector responds to test', 'Service label is valid'],
    findings: [
      'Door is held open by a wedge.',
      'Last service is more than a year ago.',
      'Goods stored on the escape route.',
    ],
  },
  {
    category: 'Structure',
    prefix: 'ST',
    products: ['Roof', 'Balcony', 'Façade', 'Foundation'],
    points: ['Cracks and settlement', 'Fastening of railings', 'Condition of roofing', 'Moisture in wood'],
    findings: ['Horizontal crack of about 2 mm.', 'Railing gives way by 30 mm.', 'Three tiles are displaced.'],
  },
  {
    category: 'Ventilation',
    prefix: 'VE',
    products: ['Air handling unit', 'Extract fan', 'Duct', 'Filter'],
    points: ['Air flow at terminals', 'Filter change', 'Noise level', 'Cleanliness of ducts'],
    findings: ['Air flow is 40 % below design.', 'Filter is clogged.', 'Grease in the extract duct.'],
  },
  {
    category: 'Plumbing',
    prefix: 'PL',
    products: ['Water heater', 'Floor drain', 'Mixing valve', 'Stop valve'],
    points: ['Leakage at joints', 'Hot water temperature', 'Access to stop valve', 'Drain is clean'],
    findings: ['Drip at the coupling under the sink.', 'Hot water reaches 48 °C only.', 'Stop valve cannot be turned.'],
  },
  {
    category: 'Accessibility',
    prefix: 'AC',
    products: ['Ramp', 'Lift', 'Entrance door', 'Handrail'],
    points: ['Clear width of door', 'Slope of ramp', 'Emergency call in lift', 'Contrast marking'],
    findings: ['Threshold is 32 mm high.', 'Emergency call is not answered.', 'Marking on glass is missing.'],
  },
];

const findingSeverities = ['LOW', 'LOW', 'MEDIUM', 'MEDIUM', 'HIGH', 'CRITICAL'];

/** Generates the `count` inspection points of protocol number `protocolIndex`. About half of them have a finding. */
export const samplePoints = (seed: number, protocolIndex: number, count: number): readonly InspectionPoint[] => {
  const random = createRandom(seed, 'points', protocolIndex);
  return Array.from({ length: count }, (_, index) => {
    const topic = random.pick(topics);
    const hasFinding = random.chance(0.5);
    return {
      ProtocolInspectionPointId: sampleId(seed, `point/${protocolIndex}`, index),
      InspectionPointName: random.pick(topic.points),
      ProductType: random.pick(topic.products),
      Category: topic.category,
      Answer: hasFinding ? 'Remark' : random.pick(['OK', 'OK', 'OK', 'Not applicable', 'Not inspected']),
      SpecificReference: `${topic.prefix} ${random.integer(1, 9)}.${random.integer(1, 24)}`,
      Severity: hasFinding ? random.pick(findingSeverities) : 'INFO',
      Description: hasFinding ? random.pick(topic.findings) : '',
      HasImage: hasFinding && random.chance(0.6),
    };
  });
};

/** How many assignment indexes are reserved for each protocol. A protocol can have fewer assignments. */
export const assignmentSlots = 4;

const firstNames = ['Ingrid', 'Lars', 'Aino', 'Søren', 'Freja', 'Oliver', 'Amelia', 'Håkon', 'Elsa', 'Mikko', 'Zoë'];
const lastNames = ['Berg', 'Lindqvist', 'Nieminen', 'Østergaard', 'Whitaker', 'Dahl', 'Åkesson', 'Haugen', "O'Neill"];
const performers = ['Nordlys Elektro AS', 'Fjord Bygg', 'Vik & Sønn', 'Harbour Maintenance Ltd', 'Talotekniikka Oy'];
const pastStatuses = ['COMPLETED', 'COMPLETED', 'IN_PROGRESS', 'PENDING', 'CANCELLED'];
const futureStatuses = ['PENDING', 'PENDING', 'PLANNED'];

/** Returns how many assignments protocol number `protocolIndex` has: 1 to 4. */
export const assignmentCount = (seed: number, protocolIndex: number): number =>
  createRandom(seed, 'assignment-count', protocolIndex).integer(1, assignmentSlots);

/** Generates the assignment with this index, at the address of its protocol and after the inspection. */
export const protocolAssignment = (seed: number, index: number, protocols: number): AssignmentSummary => {
  const protocolIndex = Math.floor(index / assignmentSlots);
  const protocol = sampleProtocol(seed, protocolIndex, protocols);
  const random = createRandom(seed, 'assignment', index);
  const day = Math.floor(protocol.InspectionDate / dayS) + random.integer(7, 150);
  return summary(random, sampleId(seed, 'assignment', index), protocol.FacilityId, protocol, day);
};

const projectAssignment = (seed: number, index: number) => {
  const random = createRandom(seed, 'project', index);
  const address = sampleAddress(random);
  const day = Math.floor(referenceTimeS / dayS) + random.integer(-200, 120);
  const assignment = summary(random, sampleId(seed, 'project', index), sampleFacilityId(450_000 + index), address, day);
  return { county: address.county, assignment };
};

const summary = (
  random: Random,
  AssignmentId: string,
  FacilityId: string,
  { Address, City }: Pick<ProtocolSummary, 'Address' | 'City'>,
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

const sampleFiles = (seed: number, assignmentId: string): readonly AssignmentFile[] => {
  const random = createRandom(seed, 'files', assignmentId);
  return Array.from({ length: Math.max(0, random.integer(-1, 3)) }, (_, index) => ({
    Key: `assignments/${assignmentId}/${sampleId(seed, `file/${assignmentId}`, index)}`,
    FileName: random.pick(fileNames),
    UploadedBy: random.pick(['CUSTOMER', 'CUSTOMER', 'INSPECTOR', 'CONTRACTOR']),
  }));
};

const names = [
  'Annual electrical inspection',
  'Thermographic survey',
  'Fire alarm service',
  'Sprinkler test',
  'Emergency lighting test',
  'Roof and façade survey',
  'Balcony railing check',
  'Ventilation balancing',
  'Legionella sampling',
  'Lift inspection',
  'Playground inspection',
  'Follow-up visit',
];

const sampleEvents = (seed: number): readonly OrderableEvent[] =>
  names.map((EventName, index) => ({ EventId: sampleId(seed, 'event', index), EventName }));

type Place = {
  readonly city: string;
  readonly county: string;
  /** `#` is replaced by a digit, `@` by a capital letter. */
  readonly zipPattern: string;
  readonly streets: readonly string[];
  readonly numberFirst?: boolean;
};

const norwegian = ['Storgata', 'Kirkegata', 'Strandveien', 'Fjellveien', 'Skolegata', 'Elveveien', 'Bjørnstads vei'];
const swedish = ['Vasagatan', 'Norra Hamngatan', 'Drottninggatan', 'Ängsvägen', 'Kungsgatan', 'Sjöbergsvägen'];
const finnish = ['Rantatie', 'Koulukatu', 'Mäkelänkatu', 'Itäinen Pitkäkatu', 'Satamakatu'];
const danish = ['Østergade', 'Nørrebrogade', 'Søndergade', 'Skovvej', 'Havnegade'];
const english = ['Mill Lane', 'Harbour Street', 'Station Road', 'Priory Close', 'Foundry Row', "St Mary's Walk"];

const places: readonly Place[] = [
  { city: 'Oslo', county: 'Oslo', zipPattern: '0#5#', streets: norwegian },
  { city: 'Bergen', county: 'Vestland', zipPattern: '50##', streets: norwegian },
  { city: 'Trondheim', county: 'Trøndelag', zipPattern: '70##', streets: norwegian },
  { city: 'Stavanger', county: 'Rogaland', zipPattern: '40##', streets: norwegian },
  { city: 'Bodø', county: 'Nordland', zipPattern: '80##', streets: norwegian },
  { city: 'Göteborg', county: 'Västra Götaland', zipPattern: '411 ##', streets: swedish },
  { city: 'Malmö', county: 'Skåne', zipPattern: '211 ##', streets: swedish },
  { city: 'Uppsala', county: 'Uppsala', zipPattern: '753 ##', streets: swedish },
  { city: 'Helsinki', county: 'Uusimaa', zipPattern: '00#50', streets: finnish },
  { city: 'Turku', county: 'Varsinais-Suomi', zipPattern: '20#00', streets: finnish },
  { city: 'Aarhus', county: 'Midtjylland', zipPattern: '80##', streets: danish },
  { city: 'York', county: 'North Yorkshire', zipPattern: 'YO## #@@', streets: english, numberFirst: true },
  { city: 'Leeds', county: 'West Yorkshire', zipPattern: 'LS# #@@', streets: english, numberFirst: true },
  { city: 'Bristol', county: 'Bristol', zipPattern: 'BS# #@@', streets: english, numberFirst: true },
];

/**
 * Generates an address with the field names of the API, and the `county` by which assignments for projects are listed.
 */
const sampleAddress = (random: Random) => {
  const place = random.pick(places);
  const street = random.pick(place.streets);
  const number = `${random.integer(1, 148)}${random.chance(0.2) ? random.pick(['A', 'B', 'C']) : ''}`;
  return {
    Address: place.numberFirst ? `${number} ${street}` : `${street} ${number}`,
    City: place.city,
    ZipCode: place.zipPattern.replace(/[#@]/g, (sign) =>
      sign === '#' ? String(random.integer(0, 9)) : random.pick([...'ABDEFHJLNPQRSTUW']),
    ),
    county: place.county,
  };
};

/**
 * Returns the uuid (in the form of version 4) of a sample record. Its first 32 bits are the record's index combined
 * with the other 96 bits, so that `sampleIndex` finds the record of an id without a table. Starting with 200,000
 * protocols therefore takes no extra time.
 */
export const sampleId = (seed: number, kind: string, index: number): string => {
  const random = createRandom(seed, 'id', kind, index);
  const b = (random.uint32() & 0xffff0fff) | 0x00004000;
  const c = (random.uint32() & 0x3fffffff) | 0x80000000;
  const d = random.uint32();
  const digits = [index ^ b ^ c ^ d, b, c, d].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  );
};

/**
 * Returns the index of the record with this id; undefined if no record of this kind with an index below `limit` has it.
 */
export const sampleIndex = (seed: number, kind: string, id: string, limit: number): number | undefined => {
  const words = id.replaceAll('-', '').match(/^([0-9a-f]{8})([0-9a-f]{8})([0-9a-f]{8})([0-9a-f]{8})$/i);
  if (words === null) return undefined;
  const index = words.slice(1).reduce((folded, word) => folded ^ Number.parseInt(word, 16), 0) >>> 0;
  return index < limit && sampleId(seed, kind, index) === id.toLowerCase() ? index : undefined;
};

/**
 * A seeded pseudo-random generator (mulberry32), so that a seed gives the same sample data and faults on every machine.
 * It must not generate secrets.
 */
export type Random = ReturnType<typeof createRandom>;

/**
 * Creates a generator for the stream of numbers with this name, such as `createRandom(seed, 'protocol', 17)`. Streams
 * with different names are independent, so a record can be generated without the records before it.
 */
export const createRandom = (...name: readonly (string | number)[]) => {
  let state = hash(name.join('/'));
  const uint32 = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fraction = (): number => uint32() / 2 ** 32;
  return {
    /** Returns the next 32 random bits, as an integer from 0 to 4294967295. */
    uint32,
    /** Returns an integer from `min` to `max`, both included. */
    integer: (min: number, max: number): number => min + Math.floor(fraction() * (max - min + 1)),
    /** Returns a random entry of `list`, which must not be empty. */
    pick: <T>(list: readonly T[]) => list[Math.floor(fraction() * list.length)] as T,
    chance: (probability: number): boolean => fraction() < probability,
  };
};

/**
 * Returns the FNV-1a hash with a final avalanche: similar names ("…/17", "…/18") must not give generators that start in
 * similar states.
 */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
};
