import { z } from 'zod';

const LONGEST_CHARS = 256;

/**
 * Whether `id`, which comes from the service, can be a segment of a URL's path. It must not be empty or too long. A dot
 * segment (`.` or `..`) would change the path even when encoded, and a lone surrogate cannot be encoded.
 */
export const isPathSegment = (id: string): boolean =>
  id !== '' && id !== '.' && id !== '..' && id.length <= LONGEST_CHARS && id.isWellFormed();

// The schemas follow the API documentation ("Resources and their fields") with its field names. Parsing drops unknown
// fields. Enumerations that the documentation does not list in full (AssignmentStatus, UploadedBy) stay plain strings,
// so that unknown values are preserved.

const Id = z.string().refine(isPathSegment);
const Text = z.string().max(20_000);

/**
 * Makes a schema optional, for a field that is only shown, so that an item without the field is still used. Services
 * often send `null` for a missing value, or no field at all. A time of 0 means that there is none.
 */
const orEmpty = <T>(schema: z.ZodType<T>, empty: T) => schema.nullish().transform((value) => value ?? empty);

const Shown = orEmpty(Text, '');
const LongShown = orEmpty(z.string().max(100_000), '');
const ShownNumber = orEmpty(z.number(), 0);

/** A list, which some services write as `null` if it is empty. */
export const ListOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .readonly()
    .nullable()
    .transform((items) => items ?? []);

/**
 * A number of items or pages. The maximum is far above what any contractor has, and small enough for sums and row
 * numbers. A response with a larger number is malformed.
 */
const Count = z.int().min(0).max(10_000_000);

/** A page number. The service may count pages from 0 or from 1. */
export const PageNumber = Count;

/** An item of the protocol list. `InspectionDate` is the raw number, whose unit the API does not define. */
export const ProtocolSummary = z.object({
  Address: Shown,
  City: Shown,
  ZipCode: Shown,
  FacilityId: Shown,
  InspectionProtocolId: Id,
  InspectionDate: ShownNumber,
  Points: ShownNumber,
});
export type ProtocolSummary = z.infer<typeof ProtocolSummary>;

export const ProtocolPage = z.object({
  Items: ListOf(ProtocolSummary),
  Count,
  TotalCount: Count,
  CurrentPage: PageNumber,
});
export type ProtocolPage = z.infer<typeof ProtocolPage>;

/** The maximum number of pages to read of a list. No contractor has more. */
export const MAX_PAGES = 10_000;

/** An assignment of a protocol or for projects. `StartTime` is the raw number, whose unit the API does not define. */
export const AssignmentSummary = z.object({
  AssignmentId: Id,
  FacilityId: Shown,
  AssignmentStatus: Shown,
  FirstName: Shown,
  LastName: Shown,
  Address: Shown,
  City: Shown,
  Performer: Shown,
  StartTime: ShownNumber,
});
export type AssignmentSummary = z.infer<typeof AssignmentSummary>;

/**
 * Matches statuses after which no files are expected, including those with an addition ("CANCELLED_BY_CUSTOMER"). The
 * API defines only PENDING, so an unknown status does not count as closed.
 */
const CLOSED =
  /^(cancell?ed|completed?|closed|finished|done|rejected|declined|archived|aborted|withdrawn|deleted|expired|terminated|voided)(?![a-z])/i;

export const isClosed = (status: string): boolean => CLOSED.test(status);

export const AssignmentList = z.object({
  Items: ListOf(AssignmentSummary),
  Count,
  TotalCount: Count,
});
export type AssignmentList = z.infer<typeof AssignmentList>;

/** An object key. The limit is above that of S3, Google and Azure (1,024 bytes or characters). */
export const Key = z.string().max(2_048);

export const AssignmentFile = z.object({
  Key,
  FileName: Text,
  UploadedBy: Shown,
});
export type AssignmentFile = z.infer<typeof AssignmentFile>;

/** The response of the file removal: the files that remain on the assignment. */
export const AssignmentFiles = z.object({
  AssignmentId: Id,
  FacilityId: Shown,
  Files: z.array(AssignmentFile).readonly(),
});
export type AssignmentFiles = z.infer<typeof AssignmentFiles>;

/** The response of the sign-upload operation. `Url` is a credential: it stays in the main process and out of logs. */
export const UploadSignature = z.object({
  AssignmentId: Id,
  Key: Key.min(1),
  /** The URL to send the file to. It must be accepted by main/uploads/storage/signed-url.ts first. */
  Url: z.url().max(16_384),
});
export type UploadSignature = z.infer<typeof UploadSignature>;

/** An item of the inspection-point list, which is a bare array. */
export const InspectionPoint = z.object({
  ProtocolInspectionPointId: Text,
  InspectionPointName: Shown,
  ProductType: Shown,
  Category: Shown,
  Answer: LongShown,
  SpecificReference: Shown,
  Severity: Shown,
  Description: LongShown,
  HasImage: orEmpty(z.boolean(), false),
});
export type InspectionPoint = z.infer<typeof InspectionPoint>;

export const PlanAfterValue = z.object({
  AssignmentId: Id,
  PlanAfter: z.number(),
});
export type PlanAfterValue = z.infer<typeof PlanAfterValue>;

/** An item of the orderable-event list, which is a bare array. */
export const OrderableEvent = z.object({
  EventId: Text,
  EventName: Shown,
});
export type OrderableEvent = z.infer<typeof OrderableEvent>;

/** An AssignmentId in the path of a request: a UUID, according to the API documentation. */
export const AssignmentId = z.guid();

/** The FileName of a sign-upload request: at least one character, according to the API documentation ("Limits"). */
export const FileName = z.string().min(1);

/** The body of the token endpoint's response ("Authentication" in the API documentation, step 4). */
export const TokenResponse = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number(),
});
export type TokenResponse = z.infer<typeof TokenResponse>;

export const customerName = ({ FirstName, LastName }: Pick<AssignmentSummary, 'FirstName' | 'LastName'>): string =>
  [FirstName, LastName].filter(Boolean).join(' ');

/**
 * Returns address, city and customer, such as "12 Mill Street, York · Anna Berg". The address alone may be the same for
 * several assignments. The FacilityId is shown if address and city are both missing. The result is empty if the service
 * returns none of these fields.
 */
export const assignmentName = (
  summary: Pick<AssignmentSummary, 'Address' | 'City' | 'FacilityId' | 'FirstName' | 'LastName'>,
): string => {
  const place = [summary.Address, summary.City].filter(Boolean).join(', ');
  return [place || summary.FacilityId, customerName(summary)].filter(Boolean).join(' · ');
};

/** A cached protocol. `availableOffline`: whether its assignments and inspection points are cached, too. */
export const CachedProtocol = ProtocolSummary.extend({ availableOffline: z.boolean(), fetchedAtMs: z.number() });
export type CachedProtocol = z.infer<typeof CachedProtocol>;

/**
 * A stored assignment. `planAfter`: the response to the last update, because no operation of the API reads the value.
 */
export const KnownAssignment = z.object({
  assignment: AssignmentSummary,
  fetchedAtMs: z.number(),
  /** The protocol whose list contains the assignment; absent if no stored list contains it. */
  InspectionProtocolId: z.string().optional(),
  planAfter: z.object({ PlanAfter: z.number(), respondedAtMs: z.number() }).optional(),
});
export type KnownAssignment = z.infer<typeof KnownAssignment>;

/** A list that was read. `unreadable`: how many items were left out because they do not have the API's shape. */
export type Listing<T> = { readonly value: T; readonly unreadable: number };

/**
 * A result from the service, or from the cache if no request was made or the service could not be reached.
 * `unreadable`: how many items were left out because they did not have the API's shape. `fetchedAtMs`: when the service
 * returned the value, in ms since 1970.
 */
export const reading = <T extends z.ZodType>(value: T) =>
  z.object({ value, unreadable: z.int(), source: z.enum(['service', 'cache']), fetchedAtMs: z.number() });
export type Reading<T> = Listing<T> & { readonly source: 'service' | 'cache'; readonly fetchedAtMs: number };

/** The unit of the service's times. The API does not define it. `auto`: detected from the magnitude of the times. */
export const TimeBase = z.enum(['auto', 'seconds', 'milliseconds']);
export type TimeBase = z.infer<typeof TimeBase>;
export const TimeUnit = TimeBase.exclude(['auto']);
export type TimeUnit = z.infer<typeof TimeUnit>;

/**
 * With `auto`, numbers nearer to 0 than this one are seconds since 1970, and others milliseconds. Seconds reach it in
 * the year 5138; milliseconds reached it in 1973.
 */
export const secondsBelow = 1e11;

export const timeUnitOf = (raw: number, base: TimeBase): TimeUnit => {
  if (base !== 'auto') return base;
  return Math.abs(raw) < secondsBelow ? 'seconds' : 'milliseconds';
};

/** Converts `raw`, a time of the service, to milliseconds since 1970. */
export const serviceTimeMs = (raw: number, base: TimeBase): number =>
  timeUnitOf(raw, base) === 'seconds' ? raw * 1000 : raw;
