import type { OrderableEvent } from '../../contract/resources.ts';
import { useCalls } from './provider.tsx';
import { type ReadingState, useReadingQuery } from './use-reading-query.ts';

/** The events that can be ordered. */
export const useOrderableEvents = (): ReadingState<readonly OrderableEvent[]> =>
  useReadingQuery(useCalls().orderableEvents.list);
