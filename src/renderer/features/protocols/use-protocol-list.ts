import { useCallback, useEffect, useReducer, useRef } from 'react';
import { toErrorData } from '../../../contract/errors.ts';
import { useDesk } from '../../app/context.tsx';
import { afterStep, emptyList, type ProtocolList } from './protocol-list.ts';

/** The service is not asked for every letter. */
const typingPauseMs = 300;

export type UseProtocolList = {
  readonly list: ProtocolList;
  /** Asks for the next page, where there is one and none is under way. */
  readonly loadMore: () => void;
  readonly reload: () => void;
};

/** The protocols that match `query`, page by page: at once those kept on this computer, then the service's. */
export const useProtocolList = (query: string): UseProtocolList => {
  const desk = useDesk();
  const [list, step] = useReducer(afterStep, emptyList);
  const requests = useRef(0);
  const shownFor = useRef<string>(undefined);

  const begin = useCallback((what: 'list' | 'page'): number => {
    requests.current += 1;
    step({ type: 'asked', request: requests.current, for: what });
    return requests.current;
  }, []);
  const ask = useCallback(
    (request: number, Page?: number): void => {
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
    const pauseMs = shownFor.current === undefined ? 0 : typingPauseMs;
    shownFor.current = query;
    const request = begin('list');
    desk.protocols.list({ ...(query === '' ? {} : { Query: query }), offline: true }).then(
      (reading) => step({ type: 'kept', request, reading }),
      () => {
        // Nothing is kept: the service's answer is waited for.
      },
    );
    let asked = false;
    const timer = setTimeout(() => {
      asked = true;
      ask(request);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      if (!asked) shownFor.current = undefined;
    };
  }, [desk, begin, ask, query]);

  const nextPage = list.busy === undefined ? list.loaded?.nextPage : undefined;
  const loadMore = useCallback(() => {
    if (nextPage !== undefined) ask(begin('page'), nextPage);
  }, [ask, begin, nextPage]);
  return { list, loadMore, reload: useCallback(() => ask(begin('list')), [ask, begin]) };
};
