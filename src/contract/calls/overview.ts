/** Counts over the offline data. */
import { Overview } from '../overview.ts';
import { call, nothing } from './call.ts';

export const overviewCalls = {
  /** Counts over the cache. */
  read: call(nothing, Overview),
};
