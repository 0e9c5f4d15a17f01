/** The pictures of a folder under review. */
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DeskError } from '../../../contract/errors.ts';
import { dataUrl, pictureSize } from '../../data/picture.ts';
import { type FilePlace, openInPlace } from '../../uploads/source/open-file.ts';
import { realRootOf } from '../../uploads/source/paths.ts';

const MOST_BYTES = 16 * 1024 * 1024;
/** A small file may unpack to a huge picture. */
const MOST_PIXELS = 100_000_000;

/**
 * The file at `place` as a `data:` URL; none if it is no PNG or JPEG file within the limits. No link is followed below its folder.
 * Errors: `upload/file-…`.
 */
export const readPicture = async ({ path = '', ...folder }: FilePlace): Promise<{ readonly url?: string }> => {
  const handle = await openInPlace(join(folder.root, path), await realRootOf(folder));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new DeskError('upload/file-changed', 'it is not a file any more');
    if (stats.size > MOST_BYTES) return {};
    // It may grow while it is read.
    const bytes = await buffer(handle.createReadStream({ end: MOST_BYTES - 1, autoClose: false }));
    const found = pictureSize(bytes);
    return found && found.width * found.height <= MOST_PIXELS ? { url: dataUrl(found.type, bytes) } : {};
  } finally {
    await handle.close();
  }
};
