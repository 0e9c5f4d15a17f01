import { useCallback, useEffect, useReducer, useRef } from 'react';
import { toErrorData } from '../../../contract/errors.ts';
import { useDesk } from '../../app/context.tsx';
import { afterStep, emptyList, type ProtocolList } from './protocol-list.ts';

export type UseProtocolList = {
  readonly list: ProtocolList;
  /** Asks for the next page, where there is one and none is under way. */
  readonly loadMore: () => void;
  readonly reload: () => void;
};

/** The protocols that match `query`, page by page. */
export const useProtocolList = (query: string): UseProtocolList => {
  const desk = useDesk();
  const [list, step] = useReducer(afterStep, emptyList);
  const requests = useRef(0);
  const shownFor = useRef<string>(undefined);

  const ask = useCallback(
    (Page?: number): void => {
      requests.current += 1;
      const request = requests.current;
      step({ type: 'asked', request, for: Page === undefined ? 'list' : 'page' });
      const input = { ...(query === '' ? {} : { Query: query }), ...(Page === undefined ? {} : { Page }) };
      desk.protocols.list(input).then(
        (reading) => step({ type: 'answered', request, reading }),
        (error: unknown) => step({ type: 'failed', request, error: toErrorData(error) }),
      );
    },
    [desk, query],
  );

  useEffect(() => {
    // Coming back to the page shows the list as it was left.
    if (shownFor.current === query) return;
    shownFor.current = query;
    ask();
  }, [ask, query]);

  const nextPage = list.busy === undefined ? list.loaded?.nextPage : undefined;
  const loadMore = useCallback(() => {
    if (nextPage !== undefined) ask(nextPage);
  }, [ask, nextPage]);
  return { list, loadMore, reload: useCallback(() => ask(), [ask]) };
};
