/** The FileNames of an upload: how they are made from paths, and why one differs from the file's own name. */
import { z } from 'zod';

/** Put between folders and names where they become one FileName. */
export const nameSeparator = ' - ';

const placeholder = /\{(?:name|folder|path)\}/g;
/** Characters not allowed in a FileName, since Windows or a storage may refuse them. Braces belong to templates. */
const forbidden = /[\p{Cc}\p{Zl}\p{Zp}<>:"/\\|?*{}]/u;

const isTemplate = (text: string): boolean =>
  [...text.matchAll(/\{(?:name|path)\}/g)].length === 1 && !forbidden.test(text.replaceAll(placeholder, ''));

/**
 * How folders become part of a FileName. `{name}`: the file's own name; `{folder}`: the folder it lies in; `{path}`:
 * all folders below the chosen one, and the name. `{name}` or `{path}` stands in it once; the extension follows by
 * itself. A file that lies directly in the chosen folder keeps its own name where `{folder}` is asked for.
 */
export const NameTemplate = z.string().max(100).refine(isTemplate, 'the name template is not valid');
export type NameTemplate = z.infer<typeof NameTemplate>;

/** Each file under its own name. */
export const ownNameTemplate = '{name}';

/**
 * Why a FileName is not the file's own name: `template` asked for it; `taken`: another file of the upload has it, or
 * one that differs in case only; `characters`, `reserved`, `length`: Windows or a storage may refuse it; `composed`:
 * the same letters, spelled as the service expects them (NFC).
 */
export const RenameReason = z.enum(['template', 'taken', 'characters', 'reserved', 'length', 'composed']);
export type RenameReason = z.infer<typeof RenameReason>;

/** A file that is renamed on its assignment. `path`: relative to the folder, with `/`. */
export const Rename = z.object({ path: z.string(), FileName: z.string(), reason: RenameReason });
export type Rename = z.infer<typeof Rename>;

/**
 * What happens to a file whose FileName is taken by other content, in the same upload or on the assignment. `replace`: it
 * is uploaded under that name, and once it has arrived the earlier file is removed.
 */
export const OnClash = z.enum(['rename', 'skip', 'replace']);
export type OnClash = z.infer<typeof OnClash>;
