// @vitest-environment happy-dom
/** Tests what the page of a new upload shows, and where the focus is, while the user decides on folders. */
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Draft, DraftFilter, DraftRow } from '../../contract/drafts.ts';
import { NewUploadPage } from '../features/new-upload/new-upload-page.tsx';
import type { AppStore } from '../state/store.tsx';
import { emptySnapshot, type SomeHandlers } from '../testing/fake-bridge.ts';
import { renderPage } from '../testing/render-page.tsx';
import { createTestWindow } from '../testing/render-query.tsx';
import { sampleDraftRow } from '../testing/sample-draft-row.ts';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { AppUi } from './app.tsx';

speakEnglish();

// In this DOM, no element has a size, but a table renders only the rows for which it has room.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => vi.restoreAllMocks());

const AssignmentId = '00000000-0000-4000-8000-0000000000a1';
const draft: Draft = {
  draftId: '00000000-0000-4000-8000-0000000000d1',
  revision: 1,
  phase: 'ready',
  names: ['Jobs'],
  folders: 3,
  files: 6,
  bytes: 600,
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
  assignments: { stage: 'assignments', read: 1, total: 1, isReading: false, known: 1 },
  levels: [],
  level: 1,
  isComparing: false,
  doubts: 0,
  counts: { all: 2, undecided: 1, matched: 1, 'left-out': 0, problems: 0, new: 2 },
  chosen: { folders: 1, files: 3, bytes: 300, assignments: 1, pairs: '' },
  toSend: { folders: 1, files: 3, bytes: 300, assignments: 1 },
  sent: { files: 0, bytes: 0 },
  leftOutFiles: { files: 0, bytes: 0 },
  clashes: { rename: 0, skip: 0, replace: 0 },
  comparing: 0,
  nameTemplate: '{name}',
  onClash: 'rename',
  canUndo: false,
};
const rowOf = (rowId: number, name: string): DraftRow => ({ ...sampleDraftRow, rowId, path: `Jobs/${name}`, name });
const ash = rowOf(1, 'Ash Lane 1');
const matched = { ...ash, choice: 'assignment', AssignmentId } as const;
const undecided = rowOf(2, 'Mill Street 2');

/** Shows the page with the draft `prepared`. `rows`: the rows of each filter. */
const show = async (
  prepared: Draft,
  rows: (filter: DraftFilter) => readonly DraftRow[],
  drafts: SomeHandlers['drafts'] = {},
) => {
  const {
    wrapper: Wrapper,
    store,
    emit,
  } = await createTestWindow({
    app: { snapshot: () => ({ ...emptySnapshot, draft: prepared }) },
    drafts: {
      rows: ({ filter, offset, limit }) => {
        const found = rows(filter);
        return { rows: found.slice(offset, offset + limit), total: found.length };
      },
      find: ({ filter, rowId }) => {
        const all = rows(filter);
        const index = all.findIndex((row) => (rowId === undefined ? row.choice === 'undecided' : row.rowId === rowId));
        const row = all[index];
        return { ...(row && { found: { row, index } }), total: all.length };
      },
      candidates: () => ({ candidates: [], total: 0 }),
      alike: () => ({ rowIds: [] }),
      clashes: () => ({ clashes: [], total: 0 }),
      names: () => ({ renames: [], total: 0, listed: 0 }),
      files: () => ({ files: [], total: 0 }),
      ...drafts,
    },
  });
  render(
    <Wrapper>
      <AppUi>
        <NewUploadPage />
      </AppUi>
    </Wrapper>,
  );
  let { revision } = emptySnapshot;
  /** Tells the window that the draft has changed. */
  const tell = (change: Partial<Draft> = {}): void => {
    revision += 1;
    act(() => emit({ type: 'draft', revision, value: { ...prepared, revision, ...change } }));
  };
  return { store, tell };
};

const start = () => screen.findByRole('button', { name: 'Start upload' });

const panelTitle = () => screen.queryByRole('heading', { level: 2 })?.textContent;
const order = () =>
  screen
    .getAllByRole('checkbox', { name: /^Upload / })
    .map((box) => box.getAttribute('aria-label')?.replace('Upload ', ''));

const byMatch = (row: DraftRow): DraftRow => ({ ...row, choice: 'assignment', chosenBy: 'match', AssignmentId });

it('keeps the folder of the panel, and what was typed there, when the folders move as others are matched', async () => {
  let rows: readonly DraftRow[] = [undecided, byMatch(ash)];
  const left: number[] = [];
  const { tell } = await show(draft, () => rows, {
    leaveOut: ({ rowIds }) => {
      left.push(...rowIds);
    },
  });
  const box = await screen.findByRole('checkbox', { name: /Ash Lane 1/ });
  box.focus();
  fireEvent.keyDown(box, { key: 'Enter' });
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Search all assignments' });
  fireEvent.change(field, { target: { value: 'elm' } });
  rows = [byMatch(ash), byMatch(undecided)];
  tell();
  await waitFor(() => expect(order()).toEqual(['Ash Lane 1', 'Mill Street 2']));
  expect(panelTitle()).toBe('Ash Lane 1');
  expect(field.value).toBe('elm');
  expect(document.activeElement).toBe(field);
  // The focus on a row of the table moves with the row, too.
  screen.getByRole('checkbox', { name: /Ash Lane 1/ }).focus();
  rows = [undecided, byMatch(ash)];
  tell();
  await waitFor(() => expect(order()).toEqual(['Mill Street 2', 'Ash Lane 1']));
  expect(panelTitle()).toBe('Ash Lane 1');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Upload Ash Lane 1');
  fireEvent.change(field, { target: { value: '' } });
  fireEvent.keyDown(field, { key: ' ' });
  await waitFor(() => expect(left).toEqual([1]));
});

it('keeps the folder of the panel when it moves out of the part of a long list that is loaded', async () => {
  const others = Array.from({ length: 80 }, (_, index) => rowOf(10 + index, `Mill Street ${index}`));
  let rows: readonly DraftRow[] = [ash, ...others];
  const { tell } = await show(draft, () => rows);
  const box = await screen.findByRole('checkbox', { name: /Ash Lane 1/ });
  fireEvent.keyDown(box, { key: 'Enter' });
  await screen.findByRole('complementary');
  rows = [...others, byMatch(ash)];
  tell();
  await waitFor(() => expect(order()[0]).not.toBe('Ash Lane 1'));
  expect(panelTitle()).toBe('Ash Lane 1');
  // The table scrolls to the folder. In this DOM, scrolling dispatches no event.
  await waitFor(() => {
    fireEvent.scroll(screen.getByRole('group', { name: 'Folders' }));
    expect(order()).toContain('Ash Lane 1');
  });
  expect(panelTitle()).toBe('Ash Lane 1');
});

it('shows the next folder in the panel when its folder is left out in the table', async () => {
  let rows: readonly DraftRow[] = [ash, undecided];
  const { tell } = await show(draft, () => rows, {
    leaveOut: () => {
      rows = [undecided, { ...ash, choice: 'left-out' }];
    },
  });
  const box = await screen.findByRole('checkbox', { name: /Ash Lane 1/ });
  fireEvent.keyDown(box, { key: 'Enter' });
  await screen.findByRole('complementary');
  fireEvent.click(box);
  await waitFor(() => expect(order()).toEqual(['Mill Street 2', 'Ash Lane 1']));
  expect(panelTitle()).toBe('Mill Street 2');
  tell();
  expect(panelTitle()).toBe('Mill Street 2');
});

it('leaves the filter as it is when it is known which folders are new, if one has been opened before', async () => {
  const counts = { ...draft.counts, new: 1 };
  const sent = byMatch({ ...ash, toSend: { files: 0, bytes: 0 } });
  const { tell } = await show({ ...draft, phase: 'updating' }, (filter) =>
    filter === 'new' ? [undecided] : [undecided, sent],
  );
  fireEvent.keyDown(await screen.findByRole('checkbox', { name: /Ash Lane 1/ }), { key: 'Enter' });
  await screen.findByRole('complementary');
  tell({ phase: 'ready', counts });
  const filter = screen.getByRole('tab', { name: 'All (2)' });
  expect(filter.getAttribute('aria-selected')).toBe('true');
  expect(order()).toEqual(['Mill Street 2', 'Ash Lane 1']);
});

it('shows no folder in the place of the last one that was decided, and leaves that as it is', async () => {
  // The rows that need a decision come first.
  let rows: readonly DraftRow[] = [undecided, matched];
  const looked = Promise.withResolvers<void>();
  const left: number[] = [];
  await show(draft, () => rows, {
    find: async ({ filter }) => {
      await looked.promise;
      return { total: filter === 'undecided' ? 0 : rows.length };
    },
    leaveOut: ({ rowIds }) => {
      left.push(...rowIds);
      rows = [matched, { ...undecided, choice: 'left-out' }];
    },
  });
  const box = await screen.findByRole('checkbox', { name: /Mill Street 2/ });
  fireEvent.keyDown(box, { key: 'Enter' });
  const field = await screen.findByRole('combobox', { name: 'Search all assignments' });
  expect(panelTitle()).toBe('Mill Street 2');
  fireEvent.keyDown(field, { key: ' ' });
  await waitFor(() => expect(screen.getAllByRole('row')[1]?.textContent).toContain('Ash Lane 1'));
  expect(panelTitle()).toBe('Mill Street 2');
  fireEvent.keyDown(field, { key: ' ' });
  looked.resolve();
  await waitFor(() => expect(panelTitle()).toBeUndefined());
  expect(document.activeElement?.textContent).toBe('Start upload');
  expect(left).toEqual([2]);
});

it('lists below the title when the draft was stored and what has changed, without full stops between', async () => {
  await show({ ...draft, resumed: { atMs: 1_800_000_000_000, changed: 2 } }, () => [matched]);
  expect(await screen.findByText(/^Jobs · Continued from [^·]+[^.·] · 2 folders have changed since$/)).toBeDefined();
});

it('starts nothing and shows no matches while one assignment for all is wanted and not chosen yet', async () => {
  await show(draft, () => [undecided, matched]);
  const isOff = async () => (await start()).getAttribute('aria-disabled') === 'true';
  expect(await isOff()).toBe(false);
  const target = screen.getByRole('combobox', { name: 'Upload to' });
  fireEvent.change(target, { target: { value: 'one' } });
  expect(await isOff()).toBe(true);
  expect(screen.getByText('Choose the assignment for all folders')).toBeDefined();
  expect(screen.queryByText('Ash Lane 1')).toBeNull();
  expect(screen.queryByRole('tab')).toBeNull();
  fireEvent.change(target, { target: { value: 'each' } });
  expect(await isOff()).toBe(false);
});

/** Opens the row of `folder`, and presses `key` in its panel to decide on it. Resolves once the panel is closed. */
const decideAlone = async (folder: RegExp, key: string): Promise<void> => {
  fireEvent.keyDown(await screen.findByRole('checkbox', { name: folder }), { key: 'Enter' });
  const field = await screen.findByRole('combobox', { name: 'Search all assignments' });
  if (key === 'Enter') await screen.findByRole('option', { name: /^Assignment/ });
  fireEvent.keyDown(field, { key });
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());
};

it('opens a row by Enter, and by no other key with it', async () => {
  await show(draft, () => [matched]);
  const row = await screen.findByRole('checkbox', { name: /Ash Lane 1/ });
  fireEvent.keyDown(row, { key: 'Enter', shiftKey: true });
  fireEvent.keyDown(row, { key: 'Enter', altKey: true });
  expect(screen.queryByRole('complementary')).toBeNull();
  fireEvent.keyDown(row, { key: 'Enter' });
  expect(screen.getByRole('complementary')).toBeDefined();
});

it('announces each undone change, also of the same name', async () => {
  let count = 0;
  await show({ ...draft, canUndo: true }, () => [matched], {
    undo: () => {
      count += 1;
      return { kind: 'accept', count: 1 };
    },
  });
  const undo = await screen.findByRole('button', { name: 'Undo' });
  fireEvent.click(undo);
  const first = await screen.findByText(/^Undone: /);
  fireEvent.click(undo);
  await waitFor(() => expect(count).toBe(2));
  await waitFor(() => expect(screen.getByText(/^Undone: /)).not.toBe(first));
});

it('returns to the row, not to Start, while folders under other filters are undecided', async () => {
  await show(draft, (filter) => (filter === 'undecided' ? [undecided] : [matched]), {
    candidates: () => ({ candidates: [{ AssignmentId, certainty: 1, reasons: [] }], total: 1 }),
    assign: () => {},
  });
  await decideAlone(/Ash Lane 1/, 'Enter');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Upload Ash Lane 1'));
});

it('leads to the undecided folders where the last row under a filter was decided', async () => {
  let rows: readonly DraftRow[] = [matched];
  await show(draft, (filter) => (filter === 'undecided' ? [undecided] : rows), {
    leaveOut: () => {
      rows = [];
    },
  });
  await decideAlone(/Ash Lane 1/, ' ');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('1 folder needs an assignment.'));
});

it('moves the focus to the first folder that needs an assignment, from the link that shows these', async () => {
  await show(draft, (filter) => (filter === 'undecided' ? [undecided] : [matched, undecided]));
  fireEvent.click(await screen.findByRole('button', { name: '1 folder needs an assignment.' }));
  await waitFor(() => expect(screen.queryByText('Ash Lane 1')).toBeNull());
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Upload Mill Street 2');
});

it('includes a left-out folder by Space in its panel, which says so', async () => {
  const included: unknown[] = [];
  await show(draft, () => [{ ...matched, choice: 'left-out' }], {
    include: ({ rowIds }) => {
      included.push(...rowIds);
    },
  });
  fireEvent.keyDown(await screen.findByRole('checkbox', { name: /Ash Lane 1/ }), { key: 'Enter' });
  const field = await screen.findByRole('combobox', { name: 'Search all assignments' });
  expect(screen.getByText(/Space includes the folder again\.$/)).toBeDefined();
  fireEvent.keyDown(field, { key: ' ' });
  await waitFor(() => expect(included).toEqual([1]));
});

it('says at the field that a start time has passed, and does not start', async () => {
  await show(draft, () => [matched]);
  fireEvent.click(await screen.findByRole('button', { name: 'Starts now' }));
  fireEvent.change(await screen.findByRole('combobox', { name: 'Start' }), { target: { value: 'at' } });
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Start date and time' });
  const isOff = () => screen.getByText('Schedule upload').closest('button')?.getAttribute('aria-disabled') === 'true';
  expect(isOff()).toBe(false);
  fireEvent.change(field, { target: { value: field.value.replace(/\d{4}/, '2020') } });
  expect(isOff()).toBe(true);
  expect(
    screen.getAllByText(/2020.*has already passed\.$/).some((text) => field.closest('.fui-Field')?.contains(text)),
  ).toBe(true);
});

it('starts an upload with warnings at once, also before the warnings have been read', async () => {
  const doubtful: Draft = { ...draft, AssignmentId, doubts: 1, counts: { ...draft.counts, problems: 1 } };
  await show(doubtful, () => [], {
    rows: ({ filter }) => (filter === 'problems' ? new Promise(() => {}) : { rows: [matched], total: 1 }),
  });
  const button = await screen.findByRole('button', { name: 'Upload anyway' });
  expect(button.getAttribute('aria-disabled')).not.toBe('true');
});

it('says of an empty folder that it has no files, in the place of including it', async () => {
  const empty: DraftRow = { ...rowOf(3, 'Empty'), files: 0, bytes: 0, choice: 'left-out' };
  const taken: unknown[] = [];
  await show(draft, () => [empty], {
    include: (rows) => {
      taken.push(rows);
    },
  });
  const says = () =>
    screen.getAllByText('This folder has no files to upload.').map((text) => text.closest('aside, table')?.tagName);
  const box = await screen.findByRole('checkbox', { name: 'Upload Empty' });
  expect(says()).toEqual(['TABLE']);
  box.focus();
  fireEvent.click(box);
  await screen.findByRole('complementary');
  expect(says()).toEqual(['TABLE', 'ASIDE']);
  expect(screen.queryByRole('button', { name: 'Include again' })).toBeNull();
  expect(taken).toEqual([]);
});

const give = (store: AppStore, name: string, AssignmentId?: string): void =>
  act(() => store.getState().give({ folders: [{ folderId: name, name }], AssignmentId }));

it('adds all folders that other starts of the program pass one by one, also while it asks about the first', async () => {
  const added: unknown[] = [];
  const { store } = await show(draft, () => [matched], {
    add: ({ folderIds }) => {
      added.push(...folderIds);
    },
  });
  const button = await start();
  button.focus();
  give(store, 'North');
  const add = await screen.findByText('Add to it');
  give(store, 'South');
  give(store, 'West');
  fireEvent.click(add);
  await waitFor(() => expect(added).toEqual(['North', 'South', 'West']));
  expect(screen.queryByText('Add to it')).toBeNull();
  expect(document.activeElement).toBe(button);
});

it('focuses the first row of the folder that was added', async () => {
  const north = rowOf(3, 'North');
  const { store, tell } = await show(draft, () => [matched, north], {
    add: () => {},
    find: ({ chosen }) => ({ ...(chosen === 'North' && { found: { row: north, index: 1 } }), total: 2 }),
  });
  await start();
  give(store, 'North');
  fireEvent.click(await screen.findByText('Add to it'));
  tell({ phase: 'scanning' });
  tell();
  await waitFor(() => expect(document.activeElement?.closest('tr')?.textContent).toContain('North'));
});

it('goes back to the page that the folders came from if they are not to be uploaded after all', async () => {
  const { store } = await show(draft, () => [matched]);
  const { place } = store.getState().history;
  give(store, 'North');
  expect(store.getState().history.place.name).toBe('new-upload');
  fireEvent.click(await screen.findByText('Cancel'));
  expect(store.getState().history.place).toBe(place);
});

it('asks about folders without an assignment once the question about those for one assignment is answered', async () => {
  const added: unknown[] = [];
  const { store } = await show(draft, () => [matched], {
    add: (folders) => {
      added.push(folders);
    },
  });
  give(store, 'North', 'north');
  const add = await screen.findByText('Add to it');
  give(store, 'South');
  fireEvent.click(add);
  await waitFor(() => expect(added).toEqual([{ folderIds: ['North'], AssignmentId: 'north' }]));
  fireEvent.click(await screen.findByText('Add to it'));
  await waitFor(() => expect(added[1]).toEqual({ folderIds: ['South'] }));
  expect(screen.queryByText('Add to it')).toBeNull();
});

it('begins one upload with the first folder that is passed, and asks about those that follow meanwhile', async () => {
  const begun: unknown[] = [];
  const opening = Promise.withResolvers<void>();
  const { store, emit } = await renderPage(<NewUploadPage />, {
    drafts: {
      open: async ({ folderIds }) => {
        begun.push(folderIds);
        await opening.promise;
        emit({ type: 'draft', revision: 2, value: { ...draft, phase: 'scanning' } });
      },
    },
  });
  give(store, 'North');
  give(store, 'South');
  await act(async () => opening.resolve());
  expect(await screen.findByText('Add to it')).toBeDefined();
  expect(begun).toEqual([['North']]);
});

const folderOf = (name: string) => ({ folderId: crypto.randomUUID(), name });

it('says that the folders are being scanned until their draft is there', async () => {
  const opening = Promise.withResolvers<void>();
  const { store } = await renderPage(<NewUploadPage />, { drafts: { open: () => opening.promise } });
  expect(screen.getByRole('button', { name: 'Choose folder…' })).toBeTruthy();
  act(() => store.getState().give({ folders: [folderOf('Jobs')] }));
  expect(await screen.findByText('Scanning the folders…')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Choose folder…' })).toBeNull();
});

it('names the folders that it asks about, and opens no draft for others while the present one is opened again', async () => {
  const adding = Promise.withResolvers<void>();
  const calls: unknown[] = [];
  const { store, emit } = await renderPage(<NewUploadPage />, {
    app: { snapshot: () => ({ ...emptySnapshot, draft: { ...draft, phase: 'scanning' } }) },
    drafts: {
      add: ({ folderIds }) => {
        calls.push(['add', ...folderIds]);
        return adding.promise;
      },
      open: ({ folderIds }) => void calls.push(['open', ...folderIds]),
    },
  });
  const [mill, ash] = [folderOf('Mill photos'), folderOf('Ash photos')];
  act(() => store.getState().give({ folders: [mill] }));
  await screen.findByText(/What do you want to do with Mill photos\?$/);
  fireEvent.click(screen.getByRole('button', { name: 'Add to it' }));
  const { revision } = emptySnapshot;
  act(() => emit({ type: 'draft', revision: revision + 1, value: undefined }));
  act(() => store.getState().give({ folders: [ash], here: true }));
  expect(screen.getByText('Scanning the folders…')).toBeTruthy();
  act(() => emit({ type: 'draft', revision: revision + 2, value: { ...draft, phase: 'scanning' } }));
  await act(async () => adding.resolve());
  await waitFor(() =>
    expect(calls).toEqual([
      ['add', mill.folderId],
      ['add', ash.folderId],
    ]),
  );
});

it('changes one option after another, before the draft has the first', async () => {
  const sent: unknown[] = [];
  const { tell } = await show(draft, () => [matched], {
    setNames: (names) => void sent.push(names),
  });
  const choose = (name: string, value: string) => {
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name });
    fireEvent.change(select, { target: { value } });
    return select;
  };
  await screen.findByRole('combobox', { name: 'File names' });
  const template = choose('File names', '{path}');
  choose('If a name is taken', 'skip');
  expect(template.value).toBe('{path}');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ nameTemplate: '{path}', onClash: 'skip' });
  tell({ nameTemplate: '{path}', onClash: 'skip' });
  tell({ nameTemplate: '{name}', onClash: 'skip' });
  expect(template.value).toBe('{name}');
});

it('accepts no proposals of folders that a search hides, and says for how many it accepts them', async () => {
  const accepted: unknown[] = [];
  await show(draft, () => [ash, undecided], {
    rows: ({ text }) => {
      const rows = [ash, undecided].filter(({ name }) => text === undefined || name.startsWith(text));
      return { rows, total: rows.length };
    },
    accept: ({ rowIds }) => {
      accepted.push(...rowIds);
      return { accepted: rowIds.length, left: 0 };
    },
  });
  const select = async (name: string) => {
    const row = (await screen.findByText(name)).closest('tr') ?? expect.fail('no row');
    fireEvent.click(row, { ctrlKey: true });
  };
  await select('Ash Lane 1');
  await screen.findByRole('button', { name: 'Accept proposals (1)' });
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'Mill' } });
  await waitFor(() => expect(order()).toEqual(['Mill Street 2']));
  screen.getByRole('button', { name: 'Accept proposals (0)' });
  await select('Mill Street 2');
  fireEvent.click(await screen.findByRole('button', { name: 'Accept proposals (1)' }));
  await waitFor(() => expect(accepted).toEqual([undecided.rowId]));
});
