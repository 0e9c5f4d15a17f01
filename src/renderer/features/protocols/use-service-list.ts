import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { toErrorData } from '../../../contract/errors.ts';
import { useReadAgain } from '../../queries/read-again.ts';
import { useStanding, useWhileAway } from '../../queries/use-while-away.ts';
import { useDesk } from '../../state/context.tsx';
import { createAfterTyping } from './after-typing.ts';
import { afterStep, nextPage, nothingTold, pageToAsk, type ServiceList, type View } from './service-list.ts';

/** The service is not asked for every letter, nor for every row that flies past. */
const typingPauseMs = 300;
const scrollPauseMs = 150;

export type UseServiceList = {
  readonly list: ServiceList;
  /** To be told whenever the view has changed: asks for the pages that it lacks. */
  readonly look: () => void;
  /** Whether page after page is asked for, whatever is in view, until all is here. */
  readonly readsAll: boolean;
  readonly setReadsAll: (readsAll: boolean) => void;
  readonly reload: () => void;
};

export type TableInView = {
  /** Changes whenever the table was read. */
  readonly held: unknown;
  readonly viewNow: () => View;
  /** Reads the table anew: a page has come. Keep it stable with `useCallback`. */
  readonly onPage: () => void;
};

/** Reads the service's list of the protocols that match `query` into the cache, page by page, as far as the table needs. */
export const useServiceList = (query: string, { held, viewNow, onPage }: TableInView): UseServiceList => {
  const desk = useDesk();
  const [list, step] = useReducer(afterStep, nothingTold);
  const [readsAll, setReadsAll] = useState(false);
  const requests = useRef(0);
  const [afterTyping] = useState(() => createAfterTyping(typingPauseMs));
  const readFor = useRef<string>(undefined);
  const latest = useRef({ list, held, viewNow });
  latest.current = { list, held, viewNow };
  /** What the table held when the last page came: until it was read again, it says nothing of what it lacks. */
  const outdated = useRef<unknown>(undefined);

  const begin = useCallback((what: 'list' | 'again' | 'quietly' | 'page'): number => {
    requests.current += 1;
    step({ type: 'asked', request: requests.current, for: what });
    return requests.current;
  }, []);
  const ask = useCallback(
    (request: number, Page?: number): void => {
      const input = { ...(query === '' ? {} : { Query: query }), ...(Page === undefined ? {} : { Page }) };
      desk.protocols.list(input).then(
        (reading) => {
          // Who types on has asked for something else; what came is kept, and the table read when that is answered.
          if (request !== requests.current) return;
          outdated.current = latest.current.held;
          step({ type: 'answered', request, reading });
          onPage();
        },
        (error: unknown) => step({ type: 'failed', request, error: toErrorData(error) }),
      );
    },
    [desk, query, onPage],
  );

  useEffect(() => {
    // Coming back to the page shows the list as it was left.
    if (readFor.current === query) return;
    readFor.current = query;
    setReadsAll(false);
    const request = begin('list');
    let asked = false;
    const giveUp = afterTyping(() => {
      asked = true;
      ask(request);
    });
    return () => {
      giveUp();
      if (!asked) readFor.current = undefined;
    };
  }, [afterTyping, begin, ask, query]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Asks for the page that `choose` names; answers whether there is more to come. */
  const askFor = useCallback(
    (choose: typeof pageToAsk): boolean => {
      const { list, held, viewNow } = latest.current;
      if (list.busy || held === undefined || held === outdated.current) return true;
      // After a failure it is up to the person to try again.
      const page = list.error === undefined && list.told ? choose(list.told, viewNow()) : undefined;
      if (page !== undefined) ask(begin('page'), page);
      return page !== undefined;
    },
    [ask, begin],
  );
  const look = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => askFor(pageToAsk), scrollPauseMs);
  }, [askFor]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the table was read there may be more to ask for.
  useEffect(() => {
    if (readsAll) setReadsAll(askFor(nextPage));
    else look();
    return () => clearTimeout(timer.current);
  }, [askFor, look, readsAll, list, held]);

  useWhileAway(
    { source: list.told?.source, error: list.error },
    useCallback(() => ask(begin('quietly')), [ask, begin]),
  );

  const error = useStanding(list.error);
  const reload = useCallback(() => ask(begin('again')), [ask, begin]);
  useReadAgain(reload);
  return { list: { ...list, error }, look, readsAll, setReadsAll, reload };
};
