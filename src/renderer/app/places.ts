/** Where in the app a person can be. A place carries what its page needs to show its heading at once. */
import type { AssignmentSummary, ProtocolSummary } from '../../contract/resources.ts';

export type Section = 'protocols' | 'projects' | 'orderable-events' | 'uploads' | 'settings';

export type Place =
  | { readonly name: Section }
  | { readonly name: 'protocol'; readonly protocol: ProtocolSummary }
  | {
      readonly name: 'assignment';
      readonly AssignmentId: string;
      /** Absent when it was reached from an upload of an earlier day: no operation reads one assignment. */
      readonly summary?: AssignmentSummary | undefined;
      readonly section: Section;
    }
  | { readonly name: 'batch'; readonly batch: string };

/** What tells two places apart. */
export const placeKey = (place: Place): string => {
  switch (place.name) {
    case 'protocol':
      return `protocol ${place.protocol.InspectionProtocolId}`;
    case 'assignment':
      return `assignment ${place.AssignmentId}`;
    case 'batch':
      return `batch ${place.batch}`;
    default:
      return place.name;
  }
};

/** The entry of the navigation that `place` lies under. */
export const sectionOf = (place: Place): Section => {
  switch (place.name) {
    case 'protocol':
      return 'protocols';
    case 'assignment':
      return place.section;
    case 'batch':
      return 'uploads';
    default:
      return place.name;
  }
};

/** Whether `place` shows the service's data; uploads and settings are this computer's own. */
export const needsSession = (place: Place): boolean =>
  place.name !== 'uploads' && place.name !== 'batch' && place.name !== 'settings';
