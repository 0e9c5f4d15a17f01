/** The results of the search in everything, in one shape. */
import { customerName } from '../../../contract/assignment-name.ts';
import type { Batch } from '../../../contract/batches.ts';
import type { FoundFile } from '../../../contract/found-files.ts';
import { idBeginnings } from '../../../contract/id-beginnings.ts';
import type { AssignmentSummary, ProtocolSummary } from '../../../contract/resources.ts';
import { addressOf } from '../../domain/address.ts';
import { begunText, folderName } from '../../domain/uploads/batch-words.ts';
import { foundFileDetails, foundFilePlace } from '../../domain/uploads/found-file.ts';
import { assignmentPlace, type Place, placeKey } from '../../state/places.ts';
import { t } from '../../words/words.ts';

/** `more`: where to continue the search. */
export type ResultKind = 'protocols' | 'assignments' | 'uploads' | 'files' | 'more';

export type SearchResult = {
  readonly kind: ResultKind;
  readonly key: string;
  readonly title: string;
  /** What tells it apart from others of the same title. */
  readonly detail: string;
  readonly place: Place;
};

const result = (kind: ResultKind, title: string, details: readonly string[], place: Place): SearchResult => ({
  kind,
  key: placeKey(place),
  title,
  detail: details.filter(Boolean).join(' · '),
  place,
});

export const protocolResult = (protocol: ProtocolSummary): SearchResult => {
  const { Address, FacilityId, ZipCode, City } = protocol;
  const town = [ZipCode, City].filter(Boolean).join(' ');
  return result('protocols', addressOf(protocol), [town, Address && FacilityId], { name: 'protocol', protocol });
};

export const assignmentResult = (summary: AssignmentSummary): SearchResult => {
  const { City, Performer } = summary;
  const place = assignmentPlace(summary, 'projects');
  return result('assignments', addressOf(summary), [City, customerName(summary), Performer], place);
};

export const batchResult = (batch: Batch): SearchResult =>
  result('uploads', folderName(batch.root), [batch.title ?? '', begunText(batch)], {
    name: 'batch',
    batch: batch.batchId,
  });

/** Where the file is, told apart from others of the same name by when and where from it was added. */
export const fileResult = (file: FoundFile, position: number): SearchResult => ({
  ...result('files', file.FileName, foundFileDetails(file), foundFilePlace(file)),
  // Many files lead to one assignment.
  key: `file ${position}`,
});

export const allFilesResult = (text: string, total: number): SearchResult =>
  result('files', t('files.all', { count: total }), [], { name: 'files', text });

/** Where to continue: with all results, if there are any. */
export const furtherResults = (text: string, total: number): readonly SearchResult[] =>
  total > 0 ? [result('more', t('search.all', { count: total }), [], { name: 'search', text })] : [];

/**
 * The uploads whose assignment or folder contains each word of `text`, or whose assignment's id begins with it; newest
 * first.
 */
export const findBatches = (batches: readonly Batch[], text: string): readonly Batch[] => {
  const words = text.toLowerCase().split(/\s+/);
  const ids = idBeginnings(text).map((id) => id.toLowerCase());
  const holds = ({ AssignmentId, root, title = '' }: Batch): boolean =>
    words.every((word) => `${title}\n${root}`.toLowerCase().includes(word)) ||
    ids.some((id) => AssignmentId.toLowerCase().startsWith(id));
  return batches.filter(holds).toSorted((a, b) => b.createdAtMs - a.createdAtMs);
};
