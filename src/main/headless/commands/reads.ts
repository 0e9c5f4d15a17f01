/** protocols, assignments, points, events: the reads of the interface, from the service or the cache. */
import type { DeskError } from '../../../contract/errors.ts';
import type { Reading } from '../../../contract/models.ts';
import type {
  AssignmentSummary,
  InspectionPoint,
  OrderableEvent,
  ProtocolSummary,
} from '../../../contract/resources.ts';
import type { TimeBase } from '../../../contract/service-time.ts';
import type { Reader, ReadOptions } from '../../cache/reader.ts';
import type { Desk } from '../../desk.ts';
import { EXIT, exitCodeOf } from '../../exit-codes.ts';
import { joinPages } from '../join-pages.ts';
import { describeError, type Output, type Words } from '../output.ts';
import { type Column, formatTable } from '../table.ts';
import { formatServiceTime, formatTime } from '../units.ts';
import { type CliContext, ensureSignedIn, timeBaseOf, withDesk } from '../with-desk.ts';

type Offline = { readonly offline?: boolean };

/** Lists protocols: the first page, one page, or all joined. */
export const protocols = (
  context: CliContext,
  { query, page, all, offline }: Offline & { readonly query?: string; readonly page?: number; readonly all?: boolean },
): Promise<number> =>
  reading(
    context,
    offline,
    async ({ protocols: read }, options) => {
      const first = await read({ Query: query, Page: page }, options);
      return all ? joinPages(first, (Page) => read({ Query: query, Page }, options)) : first;
    },
    ({ Items, TotalCount, CurrentPage }, timeBase) => [
      ...formatTable(Items, protocolColumns(timeBase)),
      `${Items.length} of ${TotalCount}, page ${CurrentPage}`,
    ],
  );

/** Lists the assignments of a protocol, or those for projects. */
export const assignments = (
  context: CliContext,
  { protocol, county, offline }: Offline & { readonly protocol?: string; readonly county?: string },
): Promise<number> =>
  reading(
    context,
    offline,
    (reader, options) =>
      protocol === undefined ? reader.projects(county, options) : reader.assignments(protocol, options),
    ({ Items }, timeBase) => formatTable(Items, assignmentColumns(timeBase)),
  );

/** Lists the inspection points of a protocol. */
export const points = (
  context: CliContext,
  { protocol, offline }: Offline & { readonly protocol: string },
): Promise<number> =>
  reading(
    context,
    offline,
    (reader, options) => reader.inspectionPoints(protocol, options),
    (items) => formatTable(items, pointColumns),
  );

/** Lists the orderable events. */
export const events = (context: CliContext, { offline }: Offline): Promise<number> =>
  reading(
    context,
    offline,
    (reader, options) => reader.orderableEvents(options),
    (items) => formatTable(items, eventColumns),
  );

/** Reads, prints the interface's own shape, and says what people should know beside it. */
const reading = <T>(
  context: CliContext,
  offline: boolean | undefined,
  read: (reader: Reader, options: ReadOptions) => Promise<Reading<T> & { readonly cut?: DeskError }>,
  words: (value: T, timeBase: TimeBase) => Words,
): Promise<number> =>
  withDesk(context, async (desk: Desk) => {
    const { output, signal } = context;
    if (!offline) await ensureSignedIn(desk, signal);
    const found = await read(desk.connected().reader, { offline, signal });
    const timeBase = await timeBaseOf(desk);
    output.result(found.value, () => words(found.value, timeBase));
    remarks(output, found);
    if (found.cut === undefined) return EXIT.done;
    output.say(describeError(found.cut));
    return exitCodeOf(found.cut.code);
  });

const remarks = ({ say }: Output, { source, fetchedAt, unreadable }: Reading<unknown>): void => {
  if (source === 'cache') say(`From the cache, read ${formatTime(fetchedAt)}.`);
  if (unreadable > 0) say(`${unreadable} could not be read and were left out.`);
};

const protocolColumns = (timeBase: TimeBase): readonly Column<ProtocolSummary>[] => [
  { title: 'Address', cell: ({ Address }) => Address },
  { title: 'City', cell: ({ City }) => City },
  { title: 'ZipCode', cell: ({ ZipCode }) => ZipCode },
  { title: 'FacilityId', cell: ({ FacilityId }) => FacilityId },
  { title: 'Date', cell: ({ InspectionDate }) => formatServiceTime(InspectionDate, timeBase) },
  { title: 'Points', cell: ({ Points }) => Points },
  { title: 'InspectionProtocolId', cell: ({ InspectionProtocolId }) => InspectionProtocolId },
];

const assignmentColumns = (timeBase: TimeBase): readonly Column<AssignmentSummary>[] => [
  { title: 'AssignmentId', cell: ({ AssignmentId }) => AssignmentId },
  { title: 'Status', cell: ({ AssignmentStatus }) => AssignmentStatus },
  { title: 'Name', cell: ({ FirstName, LastName }) => `${FirstName} ${LastName}` },
  { title: 'Address', cell: ({ Address }) => Address },
  { title: 'City', cell: ({ City }) => City },
  { title: 'Performer', cell: ({ Performer }) => Performer },
  { title: 'Start', cell: ({ StartTime }) => formatServiceTime(StartTime, timeBase) },
];

const pointColumns: readonly Column<InspectionPoint>[] = [
  { title: 'Category', cell: ({ Category }) => Category },
  { title: 'Severity', cell: ({ Severity }) => Severity },
  { title: 'Point', cell: ({ InspectionPointName }) => InspectionPointName },
  { title: 'Answer', cell: ({ Answer }) => Answer },
  { title: 'Reference', cell: ({ SpecificReference }) => SpecificReference },
  { title: 'Image', cell: ({ HasImage }) => (HasImage ? 'yes' : '') },
];

const eventColumns: readonly Column<OrderableEvent>[] = [
  { title: 'EventId', cell: ({ EventId }) => EventId },
  { title: 'EventName', cell: ({ EventName }) => EventName },
];
