/** The commands that list protocols, assignments, points, events and the files of uploads. */
import { DeskError } from '../../../../contract/errors.ts';
import { FileQuery, type FoundFile } from '../../../../contract/files.ts';
import {
  type AssignmentSummary,
  type InspectionPoint,
  MAX_PAGES,
  type OrderableEvent,
  type ProtocolPage,
  type ProtocolSummary,
  type Reading,
  type TimeBase,
} from '../../../../contract/resources.ts';
import { hasBeginnings, plainWords, searchable } from '../../../../contract/search.ts';
import type { Speech } from '../../../../words/speech.ts';
import type { Reader, ReadOptions } from '../../../cache/reader.ts';
import { EXIT, exitCodeOf } from '../../shared/exit-codes.ts';
import {
  type Column,
  describeError,
  formatBytes,
  formatServiceTime,
  formatTable,
  formatTime,
  type Output,
  streamTable,
  type Words,
} from '../support/output.ts';
import { type CliContext, ensureSignedIn, withDesk } from '../support/with-desk.ts';

type Offline = { readonly offline?: boolean | undefined };

type Protocols = Offline & {
  readonly query?: string | undefined;
  readonly page?: number;
  readonly all?: boolean;
};

/** Lists protocols: the first page, the given page, or all pages joined. */
export const protocols = (context: CliContext, { query, page, all, offline }: Protocols): Promise<number> =>
  all
    ? allProtocols(context, { query, offline })
    : reading(
        context,
        offline,
        (reader, options) => reader.protocols({ Query: query, Page: page }, options),
        ({ Items, ...rest }, timeBase) => [
          ...formatTable(Items, protocolColumns(timeBase, context.output.speech)),
          pageWords(rest, context.output.speech),
        ],
      );

/** Prints the pages as they arrive, because together they may not fit into memory. */
const allProtocols = (context: CliContext, { query, offline }: Pick<Protocols, 'query' | 'offline'>): Promise<number> =>
  onReader(context, offline, async (reader, options, timeBase) => {
    const read = (Page?: number) => reader.protocols({ Query: query, Page }, options);
    const { items, joined } = joinPages(await read(), read);
    await context.output.longResult({ head: {}, name: 'Items', items, tail: () => joined().value }, async function* () {
      yield* streamTable(items(), protocolColumns(timeBase, context.output.speech));
      yield pageWords(joined().value, context.output.speech);
    });
    remarks(context.output, joined());
    const { cut } = joined();
    if (cut === undefined) return EXIT.done;
    context.output.say(describeError(cut, context.output.speech));
    return exitCodeOf(cut.code);
  });

const pageWords = ({ Count, TotalCount, CurrentPage }: Omit<ProtocolPage, 'Items'>, { t }: Speech<'host'>): string =>
  t('cli.list.page', { count: Count, total: TotalCount, page: CurrentPage });

/** Lists the assignments of a protocol or, without a protocol, the assignments for projects. */
export const assignments = (
  context: CliContext,
  { protocol, county, offline }: Offline & { readonly protocol?: string; readonly county?: string },
): Promise<number> =>
  reading(
    context,
    offline,
    (reader, options) =>
      protocol === undefined ? reader.projects(county, options) : reader.assignments(protocol, options),
    ({ Items }, timeBase) => formatTable(Items, assignmentColumns(timeBase, context.output.speech)),
  );

/**
 * Lists the inspection points of a protocol; with `query`, only the points that have, for each word of `query`, a word
 * that begins with it.
 */
export const points = (
  context: CliContext,
  { protocol, query = '', offline }: Offline & { readonly protocol: string; readonly query?: string },
): Promise<number> =>
  reading(
    context,
    offline,
    async (reader, options) => {
      const read = await reader.inspectionPoints(protocol, options);
      return { ...read, value: pointsWith(read.value, query) };
    },
    (items) => formatTable(items, pointColumns(context.output.speech)),
  );

/**
 * Returns the points that have, for each word of `text`, a word that begins with it, regardless of case and accents.
 * The point's id is not searched.
 */
export const pointsWith = (points: readonly InspectionPoint[], text: string): readonly InspectionPoint[] =>
  points.filter(({ ProtocolInspectionPointId: _, HasImage: __, ...texts }) =>
    hasBeginnings(searchable(Object.values(texts).join(' ')), plainWords(text)),
  );

export const events = (context: CliContext, { offline }: Offline): Promise<number> =>
  reading(
    context,
    offline,
    (reader, options) => reader.orderableEvents(options),
    (items) => formatTable(items, eventColumns),
  );

const reading = <T>(
  context: CliContext,
  offline: boolean | undefined,
  read: (reader: Reader, options: ReadOptions) => Promise<Reading<T>>,
  words: (value: T, timeBase: TimeBase) => Words,
): Promise<number> =>
  onReader(context, offline, async (reader, options, timeBase) => {
    const found = await read(reader, options);
    context.output.result(found.value, () => words(found.value, timeBase));
    remarks(context.output, found);
    return EXIT.done;
  });

const onReader = (
  context: CliContext,
  offline: boolean | undefined,
  work: (reader: Reader, options: ReadOptions, timeBase: TimeBase) => Promise<number>,
): Promise<number> =>
  withDesk(context, async (desk) => {
    const { signal } = context;
    if (!offline) await ensureSignedIn(desk, context);
    return work(desk.connected().reader, { offline, signal }, desk.snapshot().preferences.timeBase);
  });

const remarks = ({ say, speech: { t } }: Output, { source, fetchedAtMs, unreadable }: Reading<unknown>): void => {
  if (source === 'cache') say(t('cli.list.offline', { at: formatTime(fetchedAtMs) }));
  if (unreadable > 0) say(t('cli.list.unreadable', { count: unreadable }));
};

const protocolColumns = (timeBase: TimeBase, { t }: Speech<'host'>): readonly Column<ProtocolSummary>[] => [
  { title: t('table.title.address'), cell: ({ Address }) => Address },
  { title: t('table.title.city'), cell: ({ City }) => City },
  { title: 'ZipCode', cell: ({ ZipCode }) => ZipCode },
  { title: 'FacilityId', cell: ({ FacilityId }) => FacilityId },
  { title: t('table.title.date'), cell: ({ InspectionDate }) => formatServiceTime(InspectionDate, timeBase) },
  { title: t('table.title.points'), cell: ({ Points }) => Points },
  { title: 'InspectionProtocolId', cell: ({ InspectionProtocolId }) => InspectionProtocolId },
];

const assignmentColumns = (timeBase: TimeBase, { t }: Speech<'host'>): readonly Column<AssignmentSummary>[] => [
  { title: 'AssignmentId', cell: ({ AssignmentId }) => AssignmentId },
  { title: t('table.title.status'), cell: ({ AssignmentStatus }) => AssignmentStatus },
  { title: t('table.title.name'), cell: ({ FirstName, LastName }) => `${FirstName} ${LastName}` },
  { title: t('table.title.address'), cell: ({ Address }) => Address },
  { title: t('table.title.city'), cell: ({ City }) => City },
  { title: t('table.title.performer'), cell: ({ Performer }) => Performer },
  { title: t('table.title.start'), cell: ({ StartTime }) => formatServiceTime(StartTime, timeBase) },
];

const pointColumns = ({ t }: Speech<'host'>): readonly Column<InspectionPoint>[] => [
  { title: t('table.title.category'), cell: ({ Category }) => Category },
  { title: t('table.title.severity'), cell: ({ Severity }) => Severity },
  { title: t('table.title.point'), cell: ({ InspectionPointName }) => InspectionPointName },
  { title: t('table.title.answer'), cell: ({ Answer }) => Answer },
  { title: t('table.title.reference'), cell: ({ SpecificReference }) => SpecificReference },
  { title: t('table.title.picture'), cell: ({ HasImage }) => (HasImage ? t('table.yes') : '') },
];

const eventColumns: readonly Column<OrderableEvent>[] = [
  { title: 'EventId', cell: ({ EventId }) => EventId },
  { title: 'EventName', cell: ({ EventName }) => EventName },
];

/** The limits of a joined list. No contractor has so many protocols. */
const JOINED = { pages: MAX_PAGES, protocols: 200_000 };

/**
 * Joins the pages of a list whose `first` page has already been read. A `DeskError` of `next` ends the list early
 * (`cut`). If a protocol is added meanwhile, another one moves to the next page and is read twice; its repetition is
 * left out. `Count` is then less than `TotalCount`, because the added protocol is missing.
 */
export const joinPages = (
  first: Reading<ProtocolPage>,
  next: (page: number) => Promise<Reading<ProtocolPage>>,
  most = JOINED,
) => {
  const { Items: _, ...page } = first.value;
  const ids = new Set<string>();
  const joined = { ...first, value: page, cut: undefined as DeskError | undefined };
  /** The number of protocols on all pages read, including repeated and unreadable ones. */
  let received = first.value.Items.length + first.unreadable;

  const newOf = ({ value }: Reading<ProtocolPage>): readonly ProtocolSummary[] =>
    value.Items.filter(({ InspectionProtocolId: id }) => !ids.has(id) && ids.add(id));

  /** Yields the protocols of the pages after the first. Throws `service/endless` at a limit or for a repeated page. */
  async function* following(): AsyncGenerator<ProtocolSummary, void> {
    for (let pages = 1; received < joined.value.TotalCount; pages += 1) {
      if (pages >= most.pages || ids.size >= most.protocols) throw endless('the list has too many pages', pages);
      const more = await next(page.CurrentPage + pages);
      const { value, unreadable, source, fetchedAtMs } = more;
      if (value.Items.length + unreadable === 0) return;
      const protocols = newOf(more);
      if (protocols.length + unreadable === 0) throw endless('a page came again', pages);
      received += value.Items.length + unreadable;
      // Protocols may be added and removed while the list is read, so the total of the newest page counts.
      joined.value = { ...page, TotalCount: value.TotalCount };
      joined.unreadable += unreadable;
      joined.fetchedAtMs = Math.min(joined.fetchedAtMs, fetchedAtMs);
      if (source === 'cache') joined.source = source;
      yield* protocols;
    }
  }

  return {
    /**
     * Yields the protocols of all pages; to be called once. Ends after the last page, at an empty page, or where the
     * list is cut. A `DeskError` is not thrown but becomes `cut`.
     */
    items: async function* (): AsyncGenerator<ProtocolSummary, void> {
      yield* newOf(first);
      try {
        yield* following();
      } catch (error) {
        if (!(error instanceof DeskError)) throw error;
        joined.cut = error;
      }
    },
    /** Returns the pages read so far as one page without protocols. `cut`: why the other pages were not read. */
    joined: () => ({ ...joined, value: { ...joined.value, Count: ids.size } }),
  };
};

const endless = (message: string, pages: number): DeskError =>
  new DeskError('service/endless', message, { details: { pages } });

const STEP = 1000;

type Wanted = Pick<FileQuery, 'text' | 'limit'> & { readonly sha256?: string };

/** Lists files that match, the newest uploads first. Returns `EXIT.failures` if there are none. */
export const find = (context: CliContext, { limit, ...query }: Wanted): Promise<number> =>
  withDesk(context, async ({ handlers }) => {
    const { output } = context;
    const window = (offset: number) =>
      handlers.files.find({
        ...FileQuery.parse({ ...query, offset, limit: Math.min(STEP, limit - offset) }),
        complete: true,
      });
    const first = await window(0);
    const { total, isMore } = first;
    const files = [...first.files];
    while (files.length < Math.min(limit, total)) {
      const { files: next } = await window(files.length);
      if (next.length === 0) break;
      files.push(...next);
    }
    output.result({ files: files.map(fileRow), total, isMore }, () => [
      ...formatTable(files, columns(output.speech)),
      output.speech.t(isMore ? 'cli.files.foundMore' : 'cli.files.found', {
        shown: files.length,
        count: total,
      }),
    ]);
    return total === 0 ? EXIT.failures : EXIT.done;
  });

const fileRow = ({ sizeBytes, AssignmentId, title, batchId, fileId: _, addedAtMs, ...file }: FoundFile) => ({
  ...file,
  size: sizeBytes,
  assignment: AssignmentId,
  name: title,
  batch: batchId,
  at: new Date(addedAtMs).toISOString(),
});

const columns = ({ t, locale }: Speech<'host'>): readonly Column<FoundFile>[] => [
  { title: t('table.title.state'), cell: ({ state }) => t(`table.fileState.${state}`) },
  { title: 'FileName', cell: ({ FileName }) => FileName },
  { title: t('table.title.folder'), cell: ({ folder }) => folder ?? '' },
  { title: t('table.title.assignment'), cell: ({ title, AssignmentId }) => title ?? AssignmentId },
  { title: t('table.title.size'), cell: ({ sizeBytes }) => formatBytes(sizeBytes, { locale }) },
  { title: t('table.title.added'), cell: ({ addedAtMs }) => formatTime(addedAtMs) },
];
