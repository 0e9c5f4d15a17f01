/** Folders that a person picked or dropped. */
import { z } from 'zod';

/** A folder the person picked or dropped, or files of one. The renderer knows only its `folderId`, never a path. */
export const Folder = z.object({ folderId: z.string(), name: z.string() });
export type Folder = z.infer<typeof Folder>;
