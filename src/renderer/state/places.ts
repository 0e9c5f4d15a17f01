/** The places of the app. A place has what its page needs to show its heading immediately. */
import { z } from 'zod';
import { AssignmentSummary, ProtocolSummary } from '../../contract/resources.ts';

const Section = z.enum([
  'overview',
  'protocols',
  'projects',
  'orderable-events',
  'new-upload',
  'uploads',
  'files',
  'settings',
  'help',
]);
export type Section = z.infer<typeof Section>;

/** A month such as "2026-03", with its bounds in ms since 1970. */
const Month = z.object({ value: z.string(), from: z.number(), before: z.number() });
export type Month = Readonly<z.infer<typeof Month>>;

/** A schema, since the last place is read back at the next start. */
export const Place = z
  .discriminatedUnion('name', [
    z.object({ name: Section.exclude(['files', 'protocols', 'projects']) }),
    z.object({ name: z.literal('licences') }),
    z.object({ name: z.literal('doctor') }),
    z.object({ name: z.literal('watched-folders') }),
    /** The results of a search in the offline data. */
    z.object({ name: z.literal('search'), text: z.string() }),
    /**
     * All protocols, those inspected in one month, or those with points of one severity; `text`: the initial search.
     */
    z.object({
      name: z.literal('protocols'),
      month: Month.optional(),
      severity: z.string().optional(),
      text: z.string().optional(),
    }),
    /** The files of all uploads, or those of one assignment; `text`: the initial search. */
    z.object({
      name: z.literal('files'),
      text: z.string().optional(),
      assignment: z.object({ AssignmentId: z.string(), title: z.string() }).optional(),
    }),
    /** All assignments for projects, or those of one status. */
    z.object({ name: z.literal('projects'), status: z.string().optional() }),
    /** `severity`: the initial filter of its points. */
    z.object({ name: z.literal('protocol'), protocol: ProtocolSummary, severity: z.string().optional() }),
    z.object({
      name: z.literal('assignment'),
      AssignmentId: z.string(),
      /** Absent when it was reached from an upload of an earlier day: no operation reads one assignment. */
      summary: AssignmentSummary.optional(),
      section: Section,
    }),
    z.object({ name: z.literal('batch'), batch: z.string() }),
    /** An upload of any number of batches; that of one is the page of its batch. */
    z.object({ name: z.literal('upload'), upload: z.string() }),
  ])
  .readonly();
export type Place = z.infer<typeof Place>;

const key = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(' ');

const named = (name: string, value: string | undefined): string | undefined =>
  value === undefined ? undefined : `${name} ${value}`;

/** The page of an assignment, under `section` of the navigation. */
export const assignmentPlace = (summary: AssignmentSummary, section: Section): Place => ({
  name: 'assignment',
  AssignmentId: summary.AssignmentId,
  summary,
  section,
});

/** Identifies a place. */
export const placeKey = (place: Place): string => {
  switch (place.name) {
    case 'protocol':
      return key('protocol', place.protocol.InspectionProtocolId, named('severity', place.severity));
    case 'assignment':
      return `assignment ${place.AssignmentId}`;
    case 'batch':
      return `batch ${place.batch}`;
    case 'upload':
      return `upload ${place.upload}`;
    case 'protocols':
      return key('protocols', place.month?.value, named('severity', place.severity), named('text', place.text));
    case 'search':
      return `search ${place.text}`;
    case 'files':
      return key('files', place.assignment?.AssignmentId, named('text', place.text));
    case 'projects':
      return key('projects', place.status);
    default:
      return place.name;
  }
};

/** The section of the navigation that `place` belongs to; undefined for the search. */
export const sectionOf = (place: Place): Section | undefined => {
  switch (place.name) {
    case 'protocol':
      return 'protocols';
    case 'assignment':
      return place.section;
    case 'batch':
    case 'upload':
    case 'watched-folders':
      return 'uploads';
    case 'licences':
      return 'settings';
    case 'doctor':
      return 'help';
    case 'search':
      return undefined;
    default:
      return place.name;
  }
};

const ownPlaces: readonly Place['name'][] = [
  'uploads',
  'files',
  'watched-folders',
  'batch',
  'upload',
  'settings',
  'licences',
  'doctor',
  'help',
];

/** Whether `place` shows the service's data; uploads, settings and help are this computer's own. */
export const needsSession = (place: Place): boolean => !ownPlaces.includes(place.name);
