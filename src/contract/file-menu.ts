/** The menu of a file or folder on this computer. */
import { z } from 'zod';
import { BatchId } from './batches.ts';
import { WatchedId } from './watched-folders.ts';

/** What the menu is of: a file of a batch, or (without `fileId`) its folder; the folder of a draft's row; a watched folder. */
export const FileMenuTarget = z.union([
  z.object({ batchId: BatchId, fileId: z.int().optional() }),
  z.object({ rowId: z.int() }),
  z.object({ watchedId: WatchedId }),
]);
export type FileMenuTarget = Readonly<z.infer<typeof FileMenuTarget>>;

/** Where the menu opens: CSS pixels from the top left corner of the page. */
export const MenuPoint = z.object({ x: z.number(), y: z.number() });
export type MenuPoint = Readonly<z.infer<typeof MenuPoint>>;

/** What can be done with it. */
export type FileAction = 'open' | 'showInFolder';
