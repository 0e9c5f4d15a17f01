/** For tests: parts of the options of `putFile`. */
import { dialectOf } from '../dialects.ts';
import { BLOCK_SIZES, type BlockPlan, type FilePut } from '../put-file.ts';

export const putTo = (address: string): Pick<FilePut, 'url' | 'dialect'> => {
  const url = new URL(address);
  return { url, dialect: dialectOf(url) };
};

/** Creates a plan for one blob. Blocks are recorded in memory, and sent one at a time. */
export const blockPlan = (own: Partial<BlockPlan> = {}): BlockPlan => {
  const sent = new Set<string>();
  return {
    ...BLOCK_SIZES,
    sent: () => new Set(sent),
    add: async (id) => void sent.add(id),
    committing: async () => {},
    clear: async () => sent.clear(),
    tryLane: () => undefined,
    ...own,
  };
};
