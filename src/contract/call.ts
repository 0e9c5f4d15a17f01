/** Declares calls, and the schemas that several calls share. */
import { z } from 'zod';

export const call = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

export const nothing = z.undefined();
/** The random id that main has given to a `Folder`. It is valid until the app ends. */
export const FolderId = z.string().min(1).max(100);
/** A path. The limit allows a thousand nested folders, each with a name of 255 characters. */
export const Path = z.string().max(262_144);
/** The maximum number of records that one call changes: the files of the largest upload. */
export const MOST_AT_ONCE = 1_000_000;
/** If true, the call reads only the offline data and makes no request. */
export const offline = z.boolean().optional();
/** The path of a saved file; undefined if the user cancelled the save dialog. */
export const savedFile = z.object({ path: z.string() }).optional();
/** Selects the part of a list to read: at most `limit` items, from index `offset` on. */
export const paging = {
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(1000).default(200),
};
