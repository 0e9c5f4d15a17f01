/** The system's facts about a file: whether another file replaced it, and whether its content is on this computer. */
import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';

/**
 * The systems whose files may be only in the cloud. The value is the largest size, in bytes, of a file that is on this
 * computer but has no allocated blocks: NTFS stores small files in their records, and macOS a compressed file of up to
 * 64 KiB in its attributes.
 */
const MOST_BYTES_WITHOUT_BLOCKS: Partial<Record<NodeJS.Platform, bigint>> = { win32: 4_096n, darwin: 65_536n };

/**
 * Whether the content is only in the cloud. Node exposes neither the attributes of Windows nor the flag of macOS
 * (`SF_DATALESS`) that show this, so a larger file without allocated blocks counts as cloud-only. Some drives that a
 * program provides report no blocks; their files are then read twice. On other systems, a file without blocks may be
 * sparse.
 */
export const isCloudOnly = (
  { size, blocks }: Pick<BigIntStats, 'size' | 'blocks'>,
  platform: NodeJS.Platform = process.platform,
): boolean => {
  const most = MOST_BYTES_WITHOUT_BLOCKS[platform];
  return most !== undefined && blocks === 0n && size > most;
};

export const isCloudOnlyAt = async (path: string, platform: NodeJS.Platform = process.platform): Promise<boolean> => {
  if (!(platform in MOST_BYTES_WITHOUT_BLOCKS)) return false;
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  return stats !== undefined && isCloudOnly(stats, platform);
};

/**
 * What distinguishes a file from one that replaced it. `id`: the numbers of its device and of the file there; a later
 * file may get the same ones. `changedMs`: its ctime (on Windows ChangeTime), in ms since 1970, which ordinary programs
 * cannot set. `bornMs`: when it was created, in ms since 1970; 0 if the file system does not record it; absent in the
 * ledger and in reviewed lists.
 */
export type FileIdentity = { readonly id: string; readonly changedMs: number; readonly bornMs?: number | undefined };

/** The identity of a folder. `id`: device and number; `bornMs`: time of creation in ms since 1970, or 0 if unknown. */
export type FolderIdentity = { readonly id: string; readonly bornMs: number };

/** The facts of a file that a scan records. `modifiedMs`: ms since 1970, with fractions. */
export type FileFacts = {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly identity?: FileIdentity | undefined;
};

/** The facts that a file should have. `within`: the real path of the chosen folder above it. */
export type Expected = FileFacts & { readonly within?: string | undefined };

/** Reads the facts from stats with big integers: a file number of NTFS has more digits than a double can hold. */
export const factsOf = (stats: BigIntStats): FileFacts & { readonly identity: FileIdentity } => ({
  sizeBytes: Number(stats.size),
  modifiedMs: milliseconds(stats.mtimeNs),
  identity: { ...folderIdentityOf(stats), changedMs: milliseconds(stats.ctimeNs) },
});

/**
 * Derives the facts of a file of `innerBytes` in an archive from the archive's facts, so that they change with the
 * archive. The id ends with the archive's size, which `archiveFacts` reads from it.
 */
export const innerFacts = ({ sizeBytes, modifiedMs, identity }: FileFacts, innerBytes: number): FileFacts => ({
  sizeBytes: innerBytes,
  modifiedMs,
  ...(identity && { identity: { ...identity, id: `${identity.id}+${sizeBytes}` } }),
});

/** A key of an archive. It changes when the archive changes, and when a drive renumbers its files. */
export const archiveKey = ({ id, changedMs }: FileIdentity): string => `${id} ${changedMs}`;

/**
 * Derives an archive's facts from those of a file in it. `sizeBytes`: the archive's size, used if the facts lack it.
 */
export const archiveFacts = ({ modifiedMs, identity }: FileFacts, sizeBytes: number): FileFacts => {
  const [, id, bytes] = /^(.*)\+(\d+)$/.exec(identity?.id ?? '') ?? [];
  if (identity === undefined || id === undefined) return { sizeBytes, modifiedMs, identity };
  return { sizeBytes: Number(bytes), modifiedMs, identity: { ...identity, id } };
};

/**
 * Whether both identities are those of one file. An equal `changedMs` is enough: network drives, FAT and FUSE may
 * renumber files, and a file that replaced another hardly ever has the same time, because programs cannot set it.
 */
const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.id === other.id || one.changedMs === other.changedMs;

export const folderIdentityOf = ({ dev, ino, birthtimeNs }: BigIntStats): FolderIdentity => ({
  id: `${dev}-${ino}`,
  bornMs: milliseconds(birthtimeNs),
});

/**
 * Whether both identities are those of one folder. A reconnected drive may renumber its folders, but they keep their
 * times of creation. Where the file system records none, any folder at the same path counts as the same.
 */
export const isSameFolder = (one: FolderIdentity, other: FolderIdentity): boolean =>
  one.id === other.id || one.bornMs === other.bornMs;

/** Describes how the file with the stats `found` differs from the expected one; undefined if nothing differs. */
export const differenceFrom = (expected: FileFacts, found: BigIntStats): string | undefined => {
  if (!found.isFile()) return 'it is not a file any more';
  const { sizeBytes, modifiedMs, identity } = factsOf(found);
  if (sizeBytes !== expected.sizeBytes) return 'its size is another';
  if (modifiedMs !== expected.modifiedMs) return 'it was written to';
  if (expected.identity && !isSameFile(expected.identity, identity)) return 'another file took its place';
  return undefined;
};

/**
 * Whether a file may have other content than before. Also true if only the file's permissions have changed. The ctime
 * is compared, because another file may have the same size and modification time. The file's number is not compared,
 * because drives renumber files and reuse numbers.
 */
export const isOtherVersion = (before: FileFacts, now: FileFacts): boolean =>
  before.sizeBytes !== now.sizeBytes ||
  before.modifiedMs !== now.modifiedMs ||
  before.identity?.changedMs !== now.identity?.changedMs;

/** Whether the file found at a path is the one that was opened there: the path may have been a link at that time. */
export const isOneFile = (found: BigIntStats, opened: BigIntStats): boolean =>
  !found.isSymbolicLink() && found.dev === opened.dev && found.ino === opened.ino;

const NS_PER_S = 1_000_000_000n;

/** Converts ns to ms, exactly as Node computes `mtimeMs`. */
const milliseconds = (ns: bigint): number => {
  const rest = ((ns % NS_PER_S) + NS_PER_S) % NS_PER_S;
  return Number((ns - rest) / NS_PER_S) * 1000 + Number(rest) / 1e6;
};
