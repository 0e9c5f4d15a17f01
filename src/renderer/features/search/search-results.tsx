/** The results of a search in a common form, and how far the service has been searched. */

import { Link, makeStyles, Spinner, tokens, typographyStyles } from '@fluentui/react-components';
import type { FoundFile } from '../../../contract/files.ts';
import type { AssignmentSummary, ProtocolSummary } from '../../../contract/resources.ts';
import {
  beginsWithOne,
  type Found,
  hasBeginnings,
  idBeginnings,
  plainWords,
  searchable,
} from '../../../contract/search.ts';
import { type Batch, batchName } from '../../../contract/uploads.ts';
import { assignmentParts } from '../../domain/assignments/assignments.tsx';
import { addressOf } from '../../domain/texts.tsx';
import { begunText, searchTexts } from '../../domain/uploads/batch-words.ts';
import { foundFileDetails, foundFilePlace } from '../../domain/uploads/files.tsx';
import { useProtocolList } from '../../queries/protocols.ts';
import { assignmentPlace, type Place, placeKey } from '../../state/store.tsx';
import type { FoundIn } from '../../ui/data-table/data-table.tsx';
import { sideBySide } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';

/** The kind of a result. `more`: a link that continues the search. */
export type ResultKind = 'protocols' | 'assignments' | 'uploads' | 'files' | 'more';

export type SearchResult = {
  readonly kind: ResultKind;
  readonly key: string;
  readonly title: string;
  /** Texts that distinguish the result from others with the same title. Some, such as dates, are not searched. */
  readonly details: readonly { readonly text: string; readonly isSearched: boolean }[];
  /** The matching fields of the record that neither the title nor the details show. */
  readonly foundIn: readonly FoundIn[];
  readonly place: Place;
};

const fieldNames: Readonly<Record<string, () => string>> = {
  Address: () => t('common.address'),
  City: () => t('common.city'),
  ZipCode: () => t('protocols.column.ZipCode'),
  FacilityId: () => t('common.facility'),
  InspectionProtocolId: () => t('protocol.id'),
  FirstName: () => t('assignment.customer'),
  LastName: () => t('assignment.customer'),
  Performer: () => t('assignment.performer'),
  title: () => t('common.assignment'),
  root: () => t('common.folder'),
  AssignmentId: () => t('assignment.id'),
};

/** The fields of records in which a search looks for words. */
const searchedFields: ReadonlySet<string> = new Set([...Object.keys(fieldNames), 'FileName', 'folder']);

/** Returns a function that says whether every word of a text is in a searched field of `record`. */
const isSearchedIn = (record: object): ((text: string) => boolean) => {
  const words = new Set(
    Object.entries(record).flatMap(([field, value]) =>
      searchedFields.has(field) && typeof value === 'string' ? plainWords(value) : [],
    ),
  );
  return (text) => plainWords(text).every((word) => words.has(word));
};

/** Whether `field` is an id of the service. Ids match by their beginning, not by words. */
const isId = (field: string): boolean => field === 'InspectionProtocolId' || field === 'AssignmentId';

/**
 * Returns the fields that explain why `record` matches `searched` if the texts `shown` do not: the fields with the
 * missing words or, if `searched` is the beginning of an id, only that id.
 */
export const foundIn = (record: object, shown: readonly string[], searched: string): readonly FoundIn[] => {
  const begins = (text: string, word: string): boolean => hasBeginnings(searchable(text), [word]);
  let missing = plainWords(searched).filter((word) => !shown.some((text) => begins(text, word)));
  if (missing.length === 0) return [];
  const beginnings = idBeginnings(searched);
  const hidden = Object.entries(record).flatMap(([field, value]) => {
    const name = fieldNames[field]?.();
    const isHidden = typeof value === 'string' && !shown.some((text) => text.includes(value));
    return name !== undefined && isHidden ? [{ field, name, value }] : [];
  });
  const id = hidden.find(({ field, value }) => isId(field) && beginsWithOne(value, beginnings));
  if (id) return [{ name: id.name, value: id.value, searched: beginnings.join(' ') }];
  return hidden.flatMap(({ field, name, value }) => {
    const left = isId(field) ? missing : missing.filter((word) => !begins(value, word));
    if (left.length === missing.length) return [];
    missing = left;
    return [{ name, value, searched }];
  });
};

/**
 * Creates a result that leads to `place`. With `record`, the result also has the matching fields of the record that
 * neither the title nor the details show.
 */
const result = (
  kind: ResultKind,
  title: string,
  details: readonly string[],
  place: Place,
  record: object = {},
  searched = '',
): SearchResult => {
  const shown = [...new Set(details)].filter(Boolean);
  const isSearched = isSearchedIn(record);
  return {
    kind,
    key: placeKey(place),
    title,
    details: shown.map((text) => ({ text, isSearched: isSearched(text) })),
    place,
    foundIn: foundIn(record, [title, ...shown.filter(isSearched)], searched),
  };
};

export const protocolResult = (protocol: ProtocolSummary, searched: string): SearchResult => {
  const { Address, FacilityId, ZipCode, City } = protocol;
  const town = [ZipCode, City].filter(Boolean).join(' ');
  const details = [town, Address && FacilityId];
  return result('protocols', addressOf(protocol), details, { name: 'protocol', protocol }, protocol, searched);
};

export const assignmentResult = (summary: AssignmentSummary, searched: string): SearchResult => {
  const place = assignmentPlace(summary);
  const details = [summary.City, ...assignmentParts(summary)];
  return result('assignments', addressOf(summary), details, place, summary, searched);
};

export const batchResult = (batch: Batch, searched: string): SearchResult => {
  const details = [batch.title ?? '', begunText(batch)];
  const place: Place = { name: 'batch', batch: batch.batchId };
  return result('uploads', batchName(batch), details, place, batch, searched);
};

/** Creates the result for a file. Its details include folder and time, to tell files with the same name apart. */
export const fileResult = (file: FoundFile, position: number, searched: string): SearchResult => ({
  ...result('files', file.FileName, foundFileDetails(file), foundFilePlace(file), file, searched),
  // The key of the place would not be unique, because many files lead to one assignment.
  key: `file ${position}`,
});

export const allFilesResult = (text: string, total: number): SearchResult =>
  result('files', t('files.all', { count: total }), [], { name: 'files', text });

export const furtherResults = (text: string, total: number): readonly SearchResult[] =>
  total > 0 ? [result('more', t('search.all', { count: total }), [], { name: 'search', text })] : [];

const textOf = searchTexts(({ root, only = '', title = '' }) => `${title}\n${root}\n${only}`);

/**
 * Finds the batches that match `text`, newest first. A batch matches if each word of `text` begins a word in the name
 * of its assignment, in the path of its folder or in the path of its only file. It also matches if the id of its
 * assignment begins with `text`.
 */
export const findBatches = (batches: readonly Batch[], text: string): readonly Batch[] => {
  const words = plainWords(text);
  const ids = idBeginnings(text);
  const holds = (batch: Batch): boolean =>
    (words.length > 0 && hasBeginnings(textOf(batch), words)) || beginsWithOne(batch.AssignmentId, ids);
  return batches.filter(holds).toSorted((a, b) => b.createdAtMs - a.createdAtMs);
};

/**
 * How far the service's protocols have been searched. `part`: the service may have more matches; `offline`: the service
 * cannot be reached; `failed`: the search has failed.
 */
export type ServiceSearch = {
  readonly state: 'asking' | 'complete' | 'part' | 'offline' | 'failed';
  readonly cached: number | undefined;
  readonly again: () => void;
};

/**
 * Searches the service for `text` while it is typed. `found`: the results from the offline data; undefined until they
 * have been read.
 */
export const useServiceSearch = (text: string, found: Found | undefined): ServiceSearch => {
  const { list, isComplete, busy, error, reload } = useProtocolList(
    text,
    () => found && { shows: 'search', first: 0, last: 0, rows: found.protocolTotal, cached: found.cached },
    text !== '',
  );
  const part = isComplete ? 'complete' : 'part';
  const answered = list?.source === 'cache' ? 'offline' : busy || list === undefined ? 'asking' : part;
  return { state: error === undefined ? answered : 'failed', cached: found?.cached, again: reload };
};

const useStyles = makeStyles({
  scope: {
    ...sideBySide(tokens.spacingHorizontalS),
    ...typographyStyles.caption1,
    color: tokens.colorNeutralForeground2,
  },
});

type SearchScopeProps = {
  readonly service: ServiceSearch;
  readonly onShowMore: () => void;
};

/** Describes the scope of the search: the protocols on this computer, and the state of the request to the service. */
export const SearchScope = ({ service: { state, cached, again }, onShowMore }: SearchScopeProps) => {
  const styles = useStyles();
  if (cached === undefined) return null;
  return (
    <div className={styles.scope}>
      {state === 'asking' && <Spinner size="extra-tiny" aria-hidden="true" />}
      <span role="status">{t(`search.scope.${state}`, { count: cached })}</span>
      {state === 'part' && (
        <Link as="button" inline onClick={onShowMore}>
          {t('search.scope.more')}
        </Link>
      )}
      {state === 'failed' && (
        <Link as="button" inline onClick={again}>
          {t('common.tryAgain')}
        </Link>
      )}
    </div>
  );
};
