// @vitest-environment happy-dom
/** Tests what the page of a new upload says when its filters match no folder. */
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DraftFilter } from '../../contract/drafts.ts';
import { NoRows } from '../features/new-upload/review-table.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';

speakEnglish();

let cleared = 0;
beforeEach(() => {
  cleared = 0;
});
afterEach(() => document.body.replaceChildren());

const show = (filter: DraftFilter, text = '', files = 4): void => {
  const chosen = { folders: files, files, bytes: files, assignments: files, pairs: '' };
  render(<NoRows draft={{ phase: 'ready', chosen }} question={{ filter, text }} onShowAll={() => (cleared += 1)} />);
};

it('leads back to all folders', () => {
  show('matched', 'Elveveien');
  expect(screen.getByText('No folders match.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(cleared).toBe(1);
});

it('says that everything is decided, and what comes next', () => {
  show('undecided');
  expect(screen.getByRole('status').textContent).toBe(
    'Every folder has an assignment or is left outNext: start the upload.',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Show all folders' }));
  expect(cleared).toBe(1);
});

it('promises no upload when every folder was left out', () => {
  show('undecided', '', 0);
  expect(screen.getByText('All folders are left out: there is nothing to upload.')).toBeDefined();
});

it('names what there is none of, instead of folders that do not match', () => {
  show('problems');
  expect(screen.getByText('No folder has a problem')).toBeDefined();
});
