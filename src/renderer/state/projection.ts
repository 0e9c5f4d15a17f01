/**
 * Main's state in the renderer, as pure steps. Each event has the next revision; after a gap, events are held back until a
 * snapshot has closed it.
 */

import type { DeskEvent, Snapshot } from '../../contract/app.ts';
import type { Batch } from '../../contract/uploads.ts';

export type Projection = {
  /** Main's last known state; undefined until the first snapshot. */
  readonly snapshot: Snapshot | undefined;
  /** Whether a snapshot is needed. */
  readonly behind: boolean;
  /** Events held back while behind, oldest first. */
  readonly waiting: readonly DeskEvent[];
};

export const nothingKnown: Projection = { snapshot: undefined, behind: true, waiting: [] };

/** `batches` with each of `changed` in its place, or at the end when it is new. */
export const withBatches = (batches: readonly Batch[], changed: readonly Batch[]): Batch[] => {
  const byId = new Map(batches.map((batch) => [batch.batchId, batch]));
  for (const batch of changed) byId.set(batch.batchId, batch);
  return [...byId.values()];
};

const apply = (snapshot: Snapshot, event: DeskEvent): Snapshot => {
  const { revision } = event;
  switch (event.type) {
    case 'connection':
      return { ...snapshot, revision, connection: event.connection };
    case 'session':
      return { ...snapshot, revision, session: event.session };
    case 'batches':
      return { ...snapshot, revision, batches: withBatches(snapshot.batches, event.batches) };
    case 'notice':
      return { ...snapshot, revision, notices: [...snapshot.notices, event.notice] };
    case 'reachability':
      return { ...snapshot, revision, reachability: event.reachability };
    case 'offline':
      return { ...snapshot, revision, offline: event.offline };
    case 'outbox':
      return { ...snapshot, revision, outbox: event.outbox };
    case 'draft':
      return { ...snapshot, revision, draft: event.draft };
    case 'watched-folders':
      return { ...snapshot, revision, watchedFolders: event.watchedFolders };
    case 'folders-given':
    case 'show-licences':
    case 'show-upload':
      // The store opens the place.
      return { ...snapshot, revision };
    case 'proxy-password':
      return { ...snapshot, revision, wantedPassword: event.wantedPassword };
    case 'update':
      return { ...snapshot, revision, update: event.update };
    case 'preferences':
      return { ...snapshot, revision, preferences: event.preferences };
  }
};

/** Uploads belong to a connection and a person: when either changes, other batches may come into view. */
const changesBatches = (event: DeskEvent): boolean =>
  event.type === 'connection' || (event.type === 'session' && event.session.state === 'signed-in');

/** The projection after `event`. An event that the snapshot covers changes nothing. */
export const withEvent = (projection: Projection, event: DeskEvent): Projection => {
  const { snapshot } = projection;
  if (snapshot === undefined || projection.behind) return { ...projection, waiting: [...projection.waiting, event] };
  if (event.revision <= snapshot.revision) return projection;
  if (event.revision > snapshot.revision + 1) return { snapshot, behind: true, waiting: [event] };
  return { snapshot: apply(snapshot, event), behind: changesBatches(event), waiting: [] };
};

/** The projection after `snapshot` and the events that were held back; still behind if these have a gap. */
export const withSnapshot = (projection: Projection, snapshot: Snapshot): Projection =>
  projection.waiting.reduce<Projection>(withEvent, { snapshot, behind: false, waiting: [] });
