/** A file that was found, in words, and the page that shows where it is. */
import type { FoundFile } from '../../../contract/files.ts';
import type { Place } from '../../state/places.ts';
import { formatMoment } from '../../words/dates.ts';
import { foundStateName } from './file-state-text.tsx';

/** Files that did not arrive are settled on the page of their upload; all others are on, or were on, their assignment. */
export const foundFilePlace = ({ state, batchId, AssignmentId }: FoundFile): Place => {
  const isThere = state === 'done' || state === 'skipped' || state === 'removed' || state === 'reported';
  return isThere || batchId === undefined
    ? { name: 'assignment', AssignmentId, section: 'files' }
    : { name: 'batch', batch: batchId };
};

export const foundFileTarget = ({ title, AssignmentId }: FoundFile): string => title ?? AssignmentId;

/** Such as "12 Mill Street, York", "Site A/photos", "Uploaded", "3 Feb 2025, 14:05". */
export const foundFileDetails = (file: FoundFile): readonly string[] => [
  foundFileTarget(file),
  file.folder ?? '',
  foundStateName(file.state),
  formatMoment(file.addedAtMs),
];
