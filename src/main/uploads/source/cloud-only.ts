/** Files that a cloud drive shows but has not downloaded (placeholders of OneDrive's Files On-Demand and the like). */
import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';

/** NTFS keeps smaller files in its table, where they occupy no blocks either. */
const SMALLEST_BYTES = 4_096n;

/**
 * Whether the content is not on this computer. Node does not know the attributes of Windows that say so
 * (FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS, FILE_ATTRIBUTE_OFFLINE); such a file has a size, and occupies nothing. Elsewhere that
 * is a file with holes.
 */
export const isCloudOnly = (
  { size, blocks }: Pick<BigIntStats, 'size' | 'blocks'>,
  platform: NodeJS.Platform = process.platform,
): boolean => platform === 'win32' && blocks === 0n && size > SMALLEST_BYTES;

/** The same for the file at `path`, as it is now. Elsewhere nothing is read. */
export const isCloudOnlyAt = async (path: string, platform: NodeJS.Platform = process.platform): Promise<boolean> => {
  if (platform !== 'win32') return false;
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  return stats !== undefined && isCloudOnly(stats, platform);
};
