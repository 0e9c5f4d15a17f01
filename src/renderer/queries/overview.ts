import type { Overview } from '../../contract/app.ts';
import { useCalls } from './provider.tsx';
import { type Answer, useAnswerQuery } from './use-answer-query.ts';

/** Counts over the offline data. */
export const useOverview = (): Answer<Overview> => useAnswerQuery(useCalls().overview.read());

/** How much room the offline data takes. */
export const useCacheSize = (): Answer<{ readonly sizeBytes: number }> => useAnswerQuery(useCalls().cache.size());
