/** The watched folders of a connection, with what they need of the other services. */
import type { open } from 'node:fs/promises';
import type { Owner } from '../../../contract/connection.ts';
import { assignmentName } from '../../../contract/resources.ts';
import type { WatchedFolder } from '../../../contract/watched-folders.ts';
import { wallNow } from '../../async/clock.ts';
import type { Cache } from '../../cache/cache.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';
import type { FileVersion } from '../../uploads/engine/uploads-api.ts';
import { createWatchedFolders, type WatchedFolders } from '../../watching/watched-folders.ts';
import type { JobFolder, WatchedTimes } from '../../watching/watched-parts.ts';
import type { WatchedStore } from '../../watching/watched-store.ts';
import { createWatchedReader } from './watched-reader.ts';

/** How watched folders are looked after. `now`: the clock of their hours. */
export type WatchSettings = {
  readonly times?: Partial<WatchedTimes>;
  readonly now?: () => number;
  /** Opens a file to see whether another program holds it; for tests. */
  readonly openFile?: typeof open;
};

type WatchedConnection = WatchSettings & {
  readonly store: WatchedStore;
  readonly connectionId: string;
  readonly owner: () => Owner;
  readonly isSignedIn: () => boolean;
  readonly uploads: RemoteUploads;
  readonly cache: Pick<Cache, 'assignment'>;
  readonly match: (folders: readonly JobFolder[], signal: AbortSignal) => Promise<readonly (string | undefined)[]>;
  readonly onChange: (folders: readonly WatchedFolder[]) => void;
  readonly onBug: (error: unknown) => void;
};

/** Nothing is watched before its `sessionChanged`. */
export const createWatchedConnection = (options: WatchedConnection): WatchedFolders => {
  const { uploads, cache, connectionId, openFile, now = wallNow, ...others } = options;
  async function* versions(batch: string): AsyncGenerator<FileVersion, void> {
    for (let afterId = 0; ; ) {
      const files = await uploads.versions(batch, afterId);
      yield* files;
      const last = files.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }
  const { startTogether, present, resume, setSchedule, contentOf } = uploads;
  return createWatchedFolders({
    ...others,
    uploads: { startTogether, present, resume, setSchedule, versions, contentOf },
    reader: createWatchedReader(openFile),
    title: (assignmentId) => {
      const known = cache.assignment(connectionId, assignmentId)?.assignment;
      return known && assignmentName(known);
    },
    now,
  });
};
