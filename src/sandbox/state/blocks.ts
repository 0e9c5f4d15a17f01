/**
 * Blocks of Azure's block blobs: they are stored one by one, and become an object once their list is committed.
 * Uncommitted blocks are lost when the sandbox ends; Azure discards them after a week.
 *
 * https://learn.microsoft.com/rest/api/storageservices/put-block
 * https://learn.microsoft.com/rest/api/storageservices/put-block-list
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { partialSuffix, type UploadStore } from './uploads.ts';

/** The place of a block's content: a file of its own, or a part of the object's file once it is committed. */
type Block = {
  readonly path: string;
  readonly start: number;
  readonly sizeBytes: number;
  readonly isCommitted: boolean;
};

/** An error code of Azure Blob Storage. */
type BlockError = 'InvalidBlobOrBlock' | 'InvalidBlockList' | 'InvalidQueryParameterValue' | 'InvalidXmlDocument';

export type BlockStore = ReturnType<typeof createBlockStore>;

/** Stores blocks in `folder`, the folder of objects, as partial files. */
export const createBlockStore = (uploads: UploadStore, folder: string) => {
  const blobs = new Map<string, Map<string, Block>>();
  const blocksOf = (key: string): Map<string, Block> => {
    const blocks = blobs.get(key) ?? new Map<string, Block>();
    blobs.set(key, blocks);
    return blocks;
  };
  const discard = (key: string): void => {
    for (const { path, isCommitted } of blocksOf(key).values()) if (!isCommitted) rmSync(path, { force: true });
    blobs.delete(key);
  };

  return {
    /**
     * The error for a block whose id is not allowed: ids have at most 64 bytes, and all ids of a blob have the same
     * length.
     */
    refusal: (key: string, id: string): BlockError | undefined => {
      const { length } = Buffer.from(id, 'base64');
      if (length === 0 || length > 64 || Buffer.from(id, 'base64').toString('base64') !== id)
        return 'InvalidQueryParameterValue';
      const [other] = blocksOf(key).keys();
      return other !== undefined && other.length !== id.length ? 'InvalidBlobOrBlock' : undefined;
    },
    put: async (key: string, id: string, content: Uint8Array): Promise<void> => {
      const path = join(folder, `${randomUUID()}${partialSuffix}`);
      await writeFile(path, content, { mode: 0o600 });
      const before = blocksOf(key).get(id);
      if (before && !before.isCommitted) rmSync(before.path, { force: true });
      blocksOf(key).set(id, { path, start: 0, sizeBytes: content.length, isCommitted: false });
    },
    /** Stores the object that consists of the blocks in `list`, an XML document. */
    commit: async (key: string, list: string): Promise<BlockError | undefined> => {
      const entries = [...list.matchAll(/<(Latest|Committed|Uncommitted)>([^<]*)<\/\1>/g)];
      if (!/<BlockList>[\s\S]*<\/BlockList>\s*$/.test(list)) return 'InvalidXmlDocument';
      const known = blocksOf(key);
      const found = entries.flatMap(([, from, id = '']) => {
        const block = known.get(id);
        const isMeant = block && (from === 'Latest' || block.isCommitted === (from === 'Committed'));
        return isMeant ? [{ id, ...block }] : [];
      });
      if (found.length !== entries.length) return 'InvalidBlockList';
      const sizeBytes = found.reduce((sum, block) => sum + block.sizeBytes, 0);
      await uploads.store(key, contentOf(found), sizeBytes);
      discard(key);
      const path = uploads.pathOf(key) ?? '';
      let start = 0;
      for (const { id, sizeBytes } of found) {
        blocksOf(key).set(id, { path, start, sizeBytes, isCommitted: true });
        start += sizeBytes;
      }
      return undefined;
    },
    /** Forgets all blocks of an object that is stored in one request, and deletes the uncommitted ones. */
    discard,
  };
};

async function* contentOf(blocks: readonly Block[]): AsyncGenerator<Uint8Array, void> {
  for (const { path, start, sizeBytes } of blocks)
    if (sizeBytes > 0) yield* createReadStream(path, { start, end: start + sizeBytes - 1 });
}
