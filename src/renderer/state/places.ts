/** The places of the app. A place contains what its page needs to show its heading immediately. */
import { z } from 'zod';
import { WorkGroup } from '../../contract/assignments.ts';
import type { Connection } from '../../contract/connection.ts';
import { ViewValue } from '../../contract/preferences.ts';
import { AssignmentSummary, ProtocolSummary } from '../../contract/resources.ts';

const Section = z.enum([
  'overview',
  'protocols',
  'assignments',
  'orderable-events',
  'new-upload',
  'uploads',
  'files',
  'settings',
  'help',
]);
export type Section = z.infer<typeof Section>;

/** A place, as a schema, because the last place is read back at the next start. */
export const Place = z
  .discriminatedUnion('name', [
    z.object({ name: Section.exclude(['files', 'protocols', 'assignments']) }),
    z.object({ name: z.literal('licences') }),
    z.object({ name: z.literal('doctor') }),
    z.object({ name: z.literal('watched-folders') }),
    z.object({ name: z.literal('search'), text: z.string() }),
    z.object({ name: z.literal('protocols'), text: z.string().optional() }),
    /** The files of all uploads, of one assignment, or those that failed in one upload; `text`: the initial search. */
    z.object({
      name: z.literal('files'),
      text: z.string().optional(),
      assignment: z.object({ AssignmentId: z.string(), title: z.string() }).optional(),
      failedOf: z.object({ uploadId: z.string(), title: z.string() }).optional(),
    }),
    /** All assignments, those of one group of the work list, or those for projects. */
    z.object({ name: z.literal('assignments'), group: WorkGroup.optional(), projects: z.boolean().optional() }),
    z.object({ name: z.literal('protocol'), protocol: ProtocolSummary }),
    z.object({
      name: z.literal('assignment'),
      AssignmentId: z.string(),
      /**
       * The summary is absent if only the id is known, for example from an old upload. No operation of the API reads a
       * single assignment.
       */
      summary: AssignmentSummary.optional(),
    }),
    z.object({ name: z.literal('batch'), batch: z.string() }),
    /** An upload. If it has only one batch, the page of that batch is shown. */
    z.object({ name: z.literal('upload'), upload: z.string() }),
  ])
  .readonly();
export type Place = z.infer<typeof Place>;

/** The props of the page of a place with this name. */
export type PlaceProps<Name extends Place['name']> = Omit<Place & { readonly name: Name }, 'name'>;

export const assignmentPlace = (summary: AssignmentSummary): Place => ({
  name: 'assignment',
  AssignmentId: summary.AssignmentId,
  summary,
});

/** Returns a text that identifies a place. It contains the ids of records, but not their other fields. */
export const placeKey = (place: Place): string => {
  switch (place.name) {
    case 'protocol':
      return `protocol ${place.protocol.InspectionProtocolId}`;
    case 'assignment':
      return `assignment ${place.AssignmentId}`;
    case 'files':
      return JSON.stringify({
        ...place,
        assignment: place.assignment?.AssignmentId,
        failedOf: place.failedOf?.uploadId,
      });
    default:
      return JSON.stringify(place);
  }
};

/** Returns the section of the navigation that `place` belongs to; undefined for the search. */
export const sectionOf = (place: Place): Section | undefined => {
  switch (place.name) {
    case 'protocol':
      return 'protocols';
    case 'assignment':
      return 'assignments';
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

const ownSections: readonly (Section | undefined)[] = ['uploads', 'files', 'settings', 'help'];

/** Whether `place` shows data of the service. Uploads, files, settings and help show only data of this computer. */
export const needsSession = (place: Place): boolean => !ownSections.includes(sectionOf(place));

// The history of places, with back and forward as in a browser. It is only kept in memory.

export type History = {
  /** The earlier places, oldest first. "Back" leads to the last one. */
  readonly back: readonly Place[];
  readonly place: Place;
  /** The places that the user went back from, nearest first. "Forward" leads to the first one. */
  readonly forward: readonly Place[];
};

const longest = 50;

export const startHistory: History = { back: [], place: { name: 'protocols' }, forward: [] };

/**
 * Returns a history that begins at `place`. "Back" leads from there to the section of `place`, unless `place` has no
 * section or is the section itself.
 */
export const beginAt = (place: Place): History => {
  const section = sectionOf(place);
  const isList = section === undefined || placeKey({ name: section }) === placeKey(place);
  return { back: isList ? [] : [{ name: section }], place, forward: [] };
};

/** Returns `history` after `place` was opened. Opening the current place adds no step. */
export const opened = (history: History, place: Place): History =>
  placeKey(place) === placeKey(history.place)
    ? { ...history, place }
    : { back: [...history.back, history.place].slice(-longest), place, forward: [] };

/** Returns `history` after one step back; unchanged at its start. */
export const steppedBack = (history: History): History => {
  const place = history.back.at(-1);
  if (place === undefined) return history;
  return { back: history.back.slice(0, -1), place, forward: [history.place, ...history.forward] };
};

/** Returns `history` after one step forward; unchanged at its end. */
export const steppedForward = (history: History): History => {
  const [place, ...forward] = history.forward;
  if (place === undefined) return history;
  return { back: [...history.back, history.place], place, forward };
};

/**
 * Returns the places whose pages stay mounted, so that going back shows a list as it was left: the `count` nearest in
 * the history. Their order does not depend on the current place.
 */
export const keptPlaces = (history: History, count: number): readonly Place[] => {
  const nearest = [history.place, ...history.back.toReversed(), ...history.forward];
  const byKey = new Map<string, Place>();
  for (const place of nearest) {
    if (byKey.size === count) break;
    if (!byKey.has(placeKey(place))) byKey.set(placeKey(place), place);
  }
  return [...byKey.values()].sort((a, b) => (placeKey(a) < placeKey(b) ? -1 : 1));
};

/** A place and the service that it belongs to. An id of one service is meaningless at another. */
const LastPlace = z.object({ service: z.string(), place: Place });

/** Returns a text that identifies a service. */
export const serviceKey = ({ baseUrl, authUrl, clientId }: Connection): string => `${baseUrl} ${authUrl} ${clientId}`;

/** Parses the place in `remembered`; undefined if it belongs to another service or does not parse. */
export const readLastPlace = (remembered: unknown, connection: Connection): Place | undefined => {
  const last = LastPlace.safeParse(remembered).data;
  return last?.service === serviceKey(connection) ? last.place : undefined;
};

/**
 * Returns `place` in the form in which it is stored. If it is too large for main, returns its section, or the overview
 * for a search.
 */
export const toLastPlace = (place: Place, connection: Connection): ViewValue => {
  const service = serviceKey(connection);
  // Removes undefined fields, which `ViewValue` does not accept.
  const whole: unknown = JSON.parse(JSON.stringify({ service, place }));
  return ViewValue.safeParse(whole).data ?? { service, place: { name: sectionOf(place) ?? 'overview' } };
};
