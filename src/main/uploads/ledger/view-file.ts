/** A ledger item as people and scripts see it: without Key, Url and what else is the engine's own. */
import type { UploadFile } from '../../../contract/upload-files.ts';
import type { Item } from './item-row.ts';

/** The item without Key and Url. */
export const viewFile = (item: Item): UploadFile => ({
  id: item.id,
  path: item.path,
  FileName: item.fileName,
  sizeBytes: item.sizeBytes,
  state: item.state,
  attempts: item.attempts,
  ...(item.error && { error: item.error }),
  ...(item.sha256 !== undefined && { sha256: item.sha256 }),
  ...(item.settledMs !== undefined && { finished: item.settledMs }),
});
