/** For tests: blocks that are recorded in memory, and sent one at a time. */
import { BLOCK_SIZES, type BlockPlan } from '../put-file.ts';

/** A plan for one blob. */
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
