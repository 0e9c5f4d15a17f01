// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { ProtocolPage, Reading } from '../../contract/resources.ts';
import type { SomeHandlers } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import type { View } from './protocol-pages.ts';
import { useProtocolTable } from './protocols.ts';
import { useProtocolList } from './use-protocol-list.ts';

const protocol = {
  Address: '',
  City: '',
  ZipCode: '',
  FacilityId: '',
  InspectionProtocolId: 'p',
  InspectionDate: 1,
  Points: 0,
};

type ListInput = {
  readonly Page?: number | undefined;
  readonly Query?: string | undefined;
  readonly turn?: string | undefined;
};
type TableInput = { readonly text?: string; readonly offset?: number };

/** A service with `total` protocols in pages of 50, and the offline data that its pages fill. */
const createService = (total: number) => {
  const asked: ListInput[] = [];
  const cached = new Set<number>();
  const held: (() => void)[] = [];
  const state = { isHeld: false, error: undefined as DeskError | undefined, source: 'service' as 'service' | 'cache' };
  const list = async ({ Page = 1, turn: _, ...input }: ListInput): Promise<Reading<ProtocolPage>> => {
    asked.push({ Page, ...input });
    const { error } = state;
    if (state.isHeld) await new Promise<void>((resolve) => held.push(resolve));
    if (error !== undefined) throw error;
    const rows = Math.max(0, Math.min(50, total - (Page - 1) * 50));
    for (let row = 0; row < rows; row += 1) cached.add((Page - 1) * 50 + row);
    const Items = Array.from({ length: rows }, () => protocol);
    return {
      value: { Items, Count: rows, TotalCount: total, CurrentPage: Page },
      unreadable: 0,
      source: state.source,
      fetchedAtMs: 1,
    };
  };
  const table = ({ offset = 0 }: TableInput) => ({
    Items: Array.from({ length: Math.max(0, cached.size - offset) }, () => ({
      ...protocol,
      availableOffline: false,
      fetchedAtMs: 1,
    })),
    total: cached.size,
    cached: cached.size,
    unreadable: 0,
  });
  const handlers: SomeHandlers = { protocols: { list, table } };
  return {
    handlers,
    asked,
    state,
    pages: () => asked.map(({ Page }) => Page),
    answer: () => held.splice(0).forEach((answer) => void answer()),
  };
};

type Props = { readonly text?: string; readonly view?: Partial<View> };

/** The list behind a table, as the table of protocols has it. */
const useListInTable = ({ text = '', view = {} }: Props) => {
  const { held } = useProtocolTable({ text });
  const counted = held && { rows: held.total, cached: held.answer.cached };
  const list = useProtocolList(text, () => counted && { shows: 'list', first: 0, last: 20, ...counted, ...view });
  return { ...list, rows: held?.total };
};

it('reads the first page, and no more than the table shows', async () => {
  const service = createService(500);
  const { render } = await createTestWindow(service.handlers);
  const { result } = render(useListInTable, {});
  expect(result.current).toMatchObject({ list: undefined, busy: true });
  await waitFor(() => expect(result.current).toMatchObject({ list: { total: 500 }, busy: false }));
  expect(result.current.rows).toBe(50);
  act(() => result.current.look());
  expect(service.pages()).toEqual([1]);
});

it('counts a page as read only once the table has its rows', async () => {
  const service = createService(500);
  const { render } = await createTestWindow(service.handlers);
  const { result } = render((props: Props) => {
    const seen = useListInTable(props);
    // What the table has whenever the list says that it knows a page.
    if (seen.list !== undefined) expect(seen.rows).toBe(seen.list.pages.size * 50);
    return seen;
  }, {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  act(() => result.current.setReadsAll(true));
  await waitFor(() => expect(result.current.list?.pages.size).toBe(10));
});

it('reads the page that comes into view', async () => {
  const service = createService(500);
  const { render } = await createTestWindow(service.handlers);
  const { result, rerender } = render((props: Props) => useListInTable(props), {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  rerender({ view: { first: 420, last: 440 } });
  await waitFor(() => expect(result.current.list?.pages).toEqual(new Set([1, 9, 10])));
  expect(service.pages()).toEqual([1, 9, 10]);
});

it('reads all pages when asked to, and ends', async () => {
  const service = createService(240);
  const { render } = await createTestWindow(service.handlers);
  const { result } = render(useListInTable, {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  act(() => result.current.setReadsAll(true));
  expect(result.current.readsAll).toBe(true);
  await waitFor(() => expect(result.current).toMatchObject({ readsAll: false, rows: 240 }));
  expect(service.pages()).toEqual([1, 2, 3, 4, 5]);
});

it('asks for a text after the typing has paused, and drops the answer to the text before', async () => {
  const service = createService(500);
  const { render } = await createTestWindow(service.handlers);
  service.state.isHeld = true;
  const { result, rerender } = render((props: Props) => useListInTable(props), {});
  await waitFor(() => expect(service.asked).toHaveLength(1));
  for (const text of ['l', 'le', 'leeds']) rerender({ text });
  expect(result.current).toMatchObject({ list: undefined, busy: true });
  await act(async () => service.answer());
  expect(result.current).toMatchObject({ list: undefined, busy: true });
  await waitFor(() => expect(service.asked).toHaveLength(2));
  await act(async () => service.answer());
  await waitFor(() => expect(result.current.busy).toBe(false));
  expect(service.asked).toEqual([{ Page: 1 }, { Page: 1, Query: 'leeds' }]);
});

it('leaves what it knew after a failure, and waits for the person', async () => {
  const service = createService(500);
  const { render } = await createTestWindow(service.handlers);
  const { result, rerender } = render((props: Props) => useListInTable(props), {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  service.state.error = new DeskError('service/failed', 'no');
  rerender({ view: { first: 420, last: 440 } });
  await waitFor(() => expect(result.current.error?.code).toBe('service/failed'));
  expect(result.current).toMatchObject({ busy: false, list: { total: 500 } });
  act(() => result.current.look());
  service.state.error = undefined;
  act(() => result.current.reload());
  await waitFor(() => expect(service.pages()).toEqual([1, 9, 1, 9, 10]));
  await waitFor(() => expect(result.current).toMatchObject({ busy: false, error: undefined }));
});

it('B32: reads all pages when asked to again after a failure', async () => {
  const service = createService(240);
  const { render } = await createTestWindow(service.handlers);
  const { result } = render(useListInTable, {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  service.state.error = new DeskError('service/busy', 'busy');
  act(() => result.current.setReadsAll(true));
  await waitFor(() => expect(result.current).toMatchObject({ error: { code: 'service/busy' }, readsAll: false }));
  service.state.error = undefined;
  act(() => result.current.setReadsAll(true));
  await waitFor(() => expect(result.current).toMatchObject({ readsAll: false, rows: 240 }));
});

it('knows after a reload only the pages that the table shows', async () => {
  const service = createService(240);
  const { render } = await createTestWindow(service.handlers);
  const { result } = render(useListInTable, {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  act(() => result.current.setReadsAll(true));
  await waitFor(() => expect(result.current.readsAll).toBe(false));
  act(() => result.current.reload());
  expect(result.current.list?.pages.size).toBe(5);
  await waitFor(() => expect(result.current.list?.pages).toEqual(new Set([1])));
});

it('asks for nothing more while the service cannot be reached', async () => {
  const service = createService(500);
  service.state.source = 'cache';
  const { render } = await createTestWindow(service.handlers);
  const { result } = render(useListInTable, { view: { first: 0, last: 49 } });
  await waitFor(() => expect(result.current).toMatchObject({ busy: false, list: { source: 'cache' } }));
  act(() => result.current.setReadsAll(true));
  await waitFor(() => expect(result.current.readsAll).toBe(false));
  expect(service.pages()).toEqual([1]);
});
