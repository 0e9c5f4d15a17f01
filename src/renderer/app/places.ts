/** Where in the app a person can be. A place carries what its page needs to show its heading at once. */
import type { AssignmentSummary, ProtocolSummary } from '../../contract/resources.ts';

export type Section = 'overview' | 'protocols' | 'projects' | 'orderable-events' | 'uploads' | 'settings';

/** A month such as "2026-03", with its bounds as the service counts time. */
export type Month = { readonly value: string; readonly from: number; readonly before: number };

export type Place =
  | { readonly name: Exclude<Section, 'projects' | 'protocols'> }
  /** All protocols, or those inspected in one month. */
  | { readonly name: 'protocols'; readonly month?: Month }
  /** All assignments for projects, or those of one status. */
  | { readonly name: 'projects'; readonly status?: string }
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
    case 'protocols':
      return place.month === undefined ? 'protocols' : `protocols ${place.month.value}`;
    case 'projects':
      return place.status === undefined ? 'projects' : `projects ${place.status}`;
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
