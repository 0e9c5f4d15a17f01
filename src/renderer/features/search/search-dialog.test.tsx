// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import type { FoundFile, FoundFiles } from '../../../contract/files.ts';
import type { AssignmentSummary, ProtocolPage, ProtocolSummary, Reading } from '../../../contract/resources.ts';
import { errorSentences } from '../../domain/errors.tsx';
import { emptySnapshot, type SomeHandlers } from '../../testing/fake-bridge.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { createTestWindow } from '../../testing/render-query.tsx';
import { sampleBatch } from '../../testing/sample-batch.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { SearchDialog, useSearch } from './search-dialog.tsx';

speakEnglish();

const protocol = { Address: 'Mill Street 1', FacilityId: 'F1', ZipCode: '', City: '' } as ProtocolSummary;
const assignment = { Address: 'Mill Street 2', AssignmentId: 'a', City: '', Performer: '' } as AssignmentSummary;

const file: FoundFile = {
  path: 'mill.jpg',
  FileName: 'mill.jpg',
  state: 'done',
  AssignmentId: 'a',
  addedAtMs: 0,
};

const windowWith = (
  protocols: readonly ProtocolSummary[],
  assignments: readonly AssignmentSummary[],
  findFiles: (query: { readonly complete: boolean }) => Promise<FoundFiles> = async () => ({
    files: [],
    total: 0,
    isMore: false,
  }),
) =>
  createTestWindow({
    files: { find: findFiles },
    app: { snapshot: () => ({ ...emptySnapshot, batches: [{ ...sampleBatch, root: '/photos/mill street' }] }) },
    search: {
      find: () => ({
        protocols: [...protocols],
        protocolTotal: protocols.length,
        assignments: [...assignments],
        assignmentTotal: assignments.length,
        cached: 120,
      }),
    },
  });

it('lists protocols, assignments and uploads, and then where to continue', async () => {
  const { render } = await windowWith([protocol], [assignment]);
  const { result, rerender } = render(useSearch, 'mill');
  await waitFor(() => expect(result.current).toMatchObject({ searched: 'mill', total: 3 }));
  expect(result.current.results.map(({ kind }) => kind)).toEqual(['protocols', 'assignments', 'uploads', 'more']);
  rerender('');
  expect(result.current).toMatchObject({ results: [], total: 0, searched: '', isComplete: false });
});

it('lists nothing to continue with if nothing was found', async () => {
  const { render } = await windowWith([], []);
  const { result } = render(useSearch, 'bridge');
  await waitFor(() =>
    expect(result.current).toMatchObject({ results: [], total: 0, searched: 'bridge', isComplete: true }),
  );
});

it('lists what is there while the files are being indexed and searched, and then adds to its end', async () => {
  const searched = Promise.withResolvers<FoundFiles>();
  const { render } = await windowWith([protocol], [assignment], ({ complete }) =>
    complete ? searched.promise : Promise.resolve({ files: [], total: 0, isMore: false }),
  );
  const { result } = render(useSearch, 'mill');
  await waitFor(() => expect(result.current).toMatchObject({ searched: 'mill', total: 3, isComplete: false }));
  const shown = result.current.results;
  expect(shown.map(({ kind }) => kind)).toEqual(['protocols', 'assignments', 'uploads']);
  await act(async () => searched.resolve({ files: [file], total: 2, isMore: false }));
  await waitFor(() => expect(result.current).toMatchObject({ searched: 'mill', total: 5, isComplete: true }));
  expect(result.current.results.slice(0, shown.length)).toEqual(shown);
  expect(result.current.results.slice(shown.length).map(({ kind }) => kind)).toEqual(['files', 'files', 'more']);
});

it('adds only files that were found for the same text', async () => {
  const searching = new Map<string, PromiseWithResolvers<FoundFiles>>();
  const { render } = await createTestWindow({
    search: {
      find: () => ({ protocols: [], protocolTotal: 0, assignments: [], assignmentTotal: 0, cached: 0 }),
    },
    files: {
      find: ({ text = '' }) => {
        const search = Promise.withResolvers<FoundFiles>();
        searching.set(text, search);
        return search.promise;
      },
    },
  });
  const { result, rerender } = render(useSearch, 'mill');
  await waitFor(() => expect(result.current.searched).toBe('mill'));
  rerender('bridge');
  await waitFor(() => expect(result.current.searched).toBe('bridge'));
  const answer = (text: string, total: number) =>
    act(async () => searching.get(text)?.resolve({ files: [], total, isMore: false }));
  await answer('mill', 1);
  await answer('bridge', 2);
  await waitFor(() => expect(result.current).toMatchObject({ searched: 'bridge', total: 2, isComplete: true }));
});

it('finds no files if their search fails', async () => {
  const { render } = await windowWith([protocol], [], () => Promise.reject(new Error('no')));
  const { result } = render(useSearch, 'mill');
  await waitFor(() => expect(result.current).toMatchObject({ total: 2, isComplete: true }));
});

const protocolAt = (Address: string): ProtocolSummary => ({
  Address,
  InspectionProtocolId: Address,
  City: '',
  ZipCode: '',
  FacilityId: '',
  InspectionDate: 1,
  Points: 0,
});

const show = async (handlers: SomeHandlers) => {
  const { store } = await renderPage(<SearchDialog open onClose={() => {}} />, handlers);
  return { store, field: screen.getByRole('combobox') };
};

it('what a person has moved to stays highlighted when the service adds results before it', async () => {
  const answer = Promise.withResolvers<void>();
  let addresses = ['Mill Street 1', 'Mill Street 2'];
  const { field } = await show({
    files: { find: () => ({ files: [], total: 0, isMore: false }) },
    search: {
      find: () => {
        const protocols = addresses.map(protocolAt);
        return { protocols, protocolTotal: protocols.length, assignments: [], assignmentTotal: 0, cached: 2 };
      },
    },
    protocols: {
      list: async (): Promise<Reading<ProtocolPage>> => {
        await answer.promise;
        addresses = ['Mill Lane 1', ...addresses];
        const Items = addresses.map(protocolAt);
        const value = { Items, Count: 3, TotalCount: 3, CurrentPage: 1 };
        return { value, unreadable: 0, source: 'service', fetchedAtMs: 1 };
      },
    },
  });
  fireEvent.change(field, { target: { value: 'mill' } });
  const highlighted = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
  await waitFor(() => expect(highlighted()).toContain('Mill Street 1'));
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  expect(highlighted()).toContain('Mill Street 2');
  await act(async () => answer.resolve());
  await screen.findByText(/Lane 1/);
  expect(highlighted()).toContain('Mill Street 2');
  // Each result says why it was found.
  const marks = [...document.querySelectorAll('[role="option"] mark')].map(({ textContent }) => textContent);
  expect(marks).toEqual(['Mill', 'Mill', 'Mill']);
});

it('opens the result for the complete text, even if Enter comes before the results', async () => {
  const held = Promise.withResolvers<void>();
  const { field, store } = await show({
    files: { find: () => ({ files: [], total: 0, isMore: false }) },
    search: {
      find: async ({ text }) => {
        if (text === 'lane') await held.promise;
        const protocols = [protocolAt(text === 'lane' ? 'Mill Lane 1' : 'Mill Street 1')];
        return { protocols, protocolTotal: 1, assignments: [], assignmentTotal: 0, cached: 2 };
      },
    },
    protocols: { list: () => new Promise(() => {}) },
  });
  fireEvent.change(field, { target: { value: 'street' } });
  await screen.findByText(/1$/);
  fireEvent.change(field, { target: { value: 'lane' } });
  await act(async () => fireEvent.keyDown(field, { key: 'Enter' }));
  expect(store.getState().history.place).not.toMatchObject({ name: 'protocol' });
  await act(async () => held.resolve());
  await waitFor(() => expect(store.getState().history.place).toMatchObject({ protocol: protocolAt('Mill Lane 1') }));
});

it('says that the search has failed, not that there is nothing', async () => {
  const fail = () => Promise.reject(new DeskError('data/unwritable', 'no'));
  const { field } = await show({
    files: { find: fail },
    search: { find: fail },
    protocols: { list: () => new Promise(() => {}) },
  });
  fireEvent.change(field, { target: { value: 'bridge' } });
  await screen.findByText(errorSentences(new DeskError('data/unwritable', 'no')));
  expect(screen.queryByText(/^No results/)).toBeNull();
});
