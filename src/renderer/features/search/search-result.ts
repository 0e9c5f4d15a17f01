/** What the search over everything finds, in one shape. */
import { customerName } from '../../../contract/assignment-name.ts';
import type { Batch } from '../../../contract/models.ts';
import type { AssignmentSummary, ProtocolSummary } from '../../../contract/resources.ts';
import { type Place, placeKey } from '../../app/places.ts';
import { formatMoment } from '../../ui/dates.ts';
import { t } from '../../words/words.ts';
import { folderName } from '../uploads/batch-words.ts';

export type ResultKind = 'protocols' | 'assignments' | 'uploads';

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
  return result('protocols', Address || FacilityId, [town, Address && FacilityId], { name: 'protocol', protocol });
};

export const assignmentResult = (summary: AssignmentSummary): SearchResult => {
  const { AssignmentId, Address, FacilityId, City, Performer } = summary;
  const place: Place = { name: 'assignment', AssignmentId, summary, section: 'projects' };
  return result('assignments', Address || FacilityId, [City, customerName(summary), Performer], place);
};

export const batchResult = ({ batch, root, title = '', created }: Batch): SearchResult =>
  result('uploads', folderName(root), [title, t('uploads.started', { at: formatMoment(created) })], {
    name: 'batch',
    batch,
  });

/** The uploads whose assignment's name or folder's path holds each word of `text`, newest first, at most `limit`. */
export const findBatches = (batches: readonly Batch[], text: string, limit: number): readonly Batch[] => {
  const words = text.toLowerCase().split(/\s+/);
  return batches
    .filter(({ root, title = '' }) => words.every((word) => `${title}\n${root}`.toLowerCase().includes(word)))
    .toSorted((a, b) => b.created - a.created)
    .slice(0, limit);
};
