// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { DraftFile, DraftRow } from '../../../contract/drafts.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { sampleDraftRow } from '../../testing/sample-draft-row.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { FileList } from './file-list.tsx';

speakEnglish();

const fileOf = (path: string, rest: Partial<DraftFile> = {}): DraftFile => ({
  path,
  sizeBytes: 1000,
  modifiedAtMs: Date.UTC(2026, 10, 3, 12),
  state: 'new',
  ...rest,
});

const someFiles = [
  fileOf('photo.jpg'),
  fileOf('plan.pdf', { state: 'sent' }),
  fileOf('in/setup.exe', { state: 'left-out', unwanted: 'executable' }),
];

const row: DraftRow = { ...sampleDraftRow, choice: 'assignment', leftOut: { files: 1, bytes: 1000 } };

const box = async (file: string) => screen.findByRole('checkbox', { name: `Upload ${file}` });

/**
 * Shows the files of `row`. Returns the arguments of the calls that include or leave out files, and the paths that are
 * read for a large view.
 */
const show = async (files: readonly DraftFile[] = someFiles) => {
  // Happy DOM has no layout, so no row would be in view without this height.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  const chosen: unknown[] = [];
  const read: unknown[] = [];
  const preview = ({ path, isSmall }: { readonly path: string; readonly isSmall?: boolean | undefined }) => {
    if (!isSmall) read.push(path);
    return {};
  };
  await renderPage(<FileList row={row} onIncludeFiles={(isIncluded, paths) => chosen.push([isIncluded, paths])} />, {
    drafts: { files: () => ({ files, total: files.length }), preview },
  });
  return { chosen, read };
};

it('lists the files of a folder with what happens to each, and includes them or leaves them out', async () => {
  const { chosen } = await show();
  expect(await box('photo.jpg')).toHaveProperty('checked', true);
  expect(await box('in/setup.exe')).toHaveProperty('checked', false);
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
  expect(rows.map(({ textContent }) => /(New|Already sent|Left out.*) · 1 kB · /.exec(textContent ?? '')?.[1])).toEqual(
    ['New', 'Already sent', 'Left out · Program'],
  );
  fireEvent.click(await box('photo.jpg'));
  fireEvent.click(await box('in/setup.exe'));
  const includeAll = screen.getByRole('button', { name: 'Include 1 left-out file' });
  includeAll.focus();
  fireEvent.click(includeAll);
  expect(screen.getByRole('table').contains(document.activeElement)).toBe(true);
  expect(chosen).toEqual([
    [false, ['photo.jpg']],
    [true, ['in/setup.exe']],
    [true, undefined],
  ]);
});

it('shows a file in large on Enter', async () => {
  await show();
  fireEvent.keyDown(await box('photo.jpg'), { key: 'Enter' });
  expect(await screen.findByRole('dialog', { name: 'photo.jpg' })).toBeDefined();
});

it('shows the next file at an arrow key, but not if the key has another meaning', async () => {
  await show();
  fireEvent.keyDown(await box('photo.jpg'), { key: 'Enter' });
  await screen.findByRole('dialog', { name: 'photo.jpg' });
  fireEvent.keyDown(document.body, { key: 'ArrowRight', altKey: true });
  expect(screen.getByRole('dialog', { name: 'photo.jpg' })).toBeDefined();
  fireEvent.keyDown(document.body, { key: 'ArrowRight' });
  expect(screen.getByRole('dialog', { name: 'plan.pdf' })).toBeDefined();
});

it('reads the next picture once one is shown in large, and no other file', async () => {
  const { read } = await show([...someFiles.slice(0, 1), fileOf('roof.jpg'), ...someFiles.slice(1)]);
  fireEvent.keyDown(await box('photo.jpg'), { key: 'Enter' });
  await waitFor(() => expect(read).toEqual(['photo.jpg', 'roof.jpg']));
  fireEvent.keyDown(document.body, { key: 'ArrowRight' });
  expect(screen.getByRole('dialog', { name: 'roof.jpg' }).textContent).toContain('There is no preview');
  fireEvent.keyDown(document.body, { key: 'ArrowRight' });
  await waitFor(() => expect(read).toEqual(['photo.jpg', 'roof.jpg', 'plan.pdf']));
});
