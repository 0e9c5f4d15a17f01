/** What tray, taskbar and closing need to know of the desk. Pure. */

import { type Reachability, uploadTrouble } from '../../../../contract/connection.ts';
import { type Batch, isActive, isBeingCancelled, isHeldBack, workDone } from '../../../../contract/uploads.ts';
import type { WatchedFolder } from '../../../../contract/watched-folders.ts';

type Known = {
  readonly batches: readonly Batch[];
  readonly reachability: Reachability;
  readonly watchedFolders: readonly WatchedFolder[];
};

/** Uploads by what they do now, as the ids of their batches' uploads. An upload can be in several. */
export type DesktopStatus = {
  readonly active: readonly string[];
  /** Held back until their time. */
  readonly scheduled: readonly string[];
  /** Paused by a person. */
  readonly paused: readonly string[];
  /** Paused for a reason that a person has to deal with. */
  readonly stopped: readonly string[];
  /** Whether the active uploads wait for a service or a storage that cannot be used now. */
  readonly waits: boolean;
  /** The share of the work of the active uploads that is done (`workDone`); undefined without any. */
  readonly progress: number | undefined;
  /** Whether files that are put into a folder are uploaded automatically. */
  readonly watches: boolean;
};

/** The status of the desk. */
export const desktopStatus = ({ batches, reachability, watchedFolders }: Known): DesktopStatus => {
  const uploadsOf = (chosen: readonly Batch[]): readonly string[] => [
    ...new Set(chosen.map(({ uploadId }) => uploadId)),
  ];
  const active = batches.filter(isActive);
  const paused = batches.filter((batch) => batch.state === 'paused' && !isBeingCancelled(batch));
  return {
    active: uploadsOf(active),
    scheduled: uploadsOf(paused.filter(isHeldBack)),
    paused: uploadsOf(paused.filter(({ reason }) => reason === undefined)),
    stopped: uploadsOf(paused.filter((batch) => batch.reason !== undefined && !isHeldBack(batch))),
    waits: active.length > 0 && uploadTrouble(reachability) !== undefined,
    progress: active.length === 0 ? undefined : workDone(active),
    watches: watchedFolders.some((folder) => !folder.paused),
  };
};

/**
 * What closing the window does: `close` it, and the app with it where the system does so; keep the app running in the
 * `background`; `minimise` the window, where nothing else would show that the app is there; or `ask` whether to quit.
 */
type Closing = 'close' | 'background' | 'minimise' | 'ask';

/** `isShown`: whether the system shows that the app runs, in a tray or a dock, when it has no window. */
export const closingOf = (
  { active, scheduled, watches }: DesktopStatus,
  keepUploading: boolean,
  isShown: boolean,
): Closing => {
  const uploads = active.length + scheduled.length;
  if (uploads === 0 && !watches) return 'close';
  if (keepUploading) return isShown ? 'background' : 'minimise';
  return uploads > 0 ? 'ask' : 'close';
};
