/** What distinguishes a file from another one that took its place. */
import type { BigIntStats } from 'node:fs';

/**
 * `id`: device and number of the file. `changedMs`: when its content, name or rights last changed (ctime), ms since
 * 1970; it cannot be set by programs.
 */
export type FileIdentity = { readonly id: string; readonly changedMs: number };

/** The facts of a file that a scan records. `modifiedMs`: ms since 1970, with fractions. */
export type FileFacts = {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Absent in batches of an older version. */
  readonly identity?: FileIdentity | undefined;
};

/** The facts in `stats`, as big integers: on NTFS a file's number has more digits than a double. */
export const factsOf = ({
  size,
  mtimeNs,
  ctimeNs,
  dev,
  ino,
}: BigIntStats): FileFacts & { readonly identity: FileIdentity } => ({
  sizeBytes: Number(size),
  modifiedMs: milliseconds(mtimeNs),
  identity: { id: `${dev}-${ino}`, changedMs: milliseconds(ctimeNs) },
});

/**
 * Whether both are the same file. Network drives, FAT and FUSE sometimes renumber files, and a reconnected drive is another
 * device: a file that has not changed since is still the same. A file that took its place changed at that moment, whatever
 * its size and time.
 */
export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.id === other.id || one.changedMs === other.changedMs;

/** How the file of `found` differs from the expected one; undefined: not at all. */
export const differenceFrom = (expected: FileFacts, found: BigIntStats): string | undefined => {
  if (!found.isFile()) return 'it is not a file any more';
  const { sizeBytes, modifiedMs, identity } = factsOf(found);
  if (sizeBytes !== expected.sizeBytes) return 'its size is another';
  if (modifiedMs !== expected.modifiedMs) return 'it was written to';
  if (expected.identity && !isSameFile(expected.identity, identity)) return 'another file took its place';
  return undefined;
};

/** Whether the file found at the path is the one that was opened: the path may have been a link at that moment. */
export const isOneFile = (found: BigIntStats, opened: BigIntStats): boolean =>
  !found.isSymbolicLink() && found.dev === opened.dev && found.ino === opened.ino;

const NS_PER_S = 1_000_000_000n;

/** Exactly as Node computes `mtimeMs`: the ledger contains times from both. */
const milliseconds = (ns: bigint): number => {
  const rest = ((ns % NS_PER_S) + NS_PER_S) % NS_PER_S;
  return Number((ns - rest) / NS_PER_S) * 1000 + Number(rest) / 1e6;
};
