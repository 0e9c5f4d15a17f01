// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { FoundFile, SentFolder } from '../../../contract/files.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { SentBeforeList } from './sent-before.tsx';

speakEnglish();

const List = ({ results }: Pick<ComponentProps<typeof SentBeforeList>, 'results'>) => (
  <SentBeforeList results={results} busy={false} isEmpty={false} lookUp={() => {}} close={() => {}} onOpen={() => {}} />
);

const day = (date: number): number => new Date(2026, 10, date, 9).getTime();
/** Returns the sentence that is shown after the folder's name. */
const sentence = (own: Partial<SentFolder>): string | null | undefined => {
  const folder = { files: 40, sent: 40, removed: 0, unread: 0, neverSent: [], assignments: [], ...own };
  const { container } = render(<List results={[{ name: 'Photos', same: [], alike: [], folder }]} />);
  const [name, shown] = [...container.querySelectorAll('.fui-Text')].map(({ textContent }) => textContent);
  expect(name).toBe('Photos');
  cleanup();
  return shown;
};

test('one sentence says whether a folder was sent', () => {
  expect(sentence({ fromMs: day(12), toMs: day(12) + 1 })).toBe('All 40 files were sent on Nov 12, 2026.');
  expect(sentence({ fromMs: day(3), toMs: day(12) })).toBe(
    'All 40 files were sent between Nov 3, 2026 and Nov 12, 2026.',
  );
  expect(sentence({ files: 1, sent: 1, fromMs: day(12), toMs: day(12) })).toBe('The file was sent on Nov 12, 2026.');
  expect(sentence({ sent: 37 })).toBe('3 of 40 files were never sent.');
  expect(sentence({ sent: 39 })).toBe('1 of 40 files was never sent.');
  expect(sentence({ sent: 0 })).toBe('None of the 40 files was ever sent.');
  expect(sentence({ files: 0, sent: 0 })).toBe('There are no files in this folder.');
  expect(sentence({ sent: 0, unread: 40 })).toBe('40 files could not be read, so they were not compared.');
});

test('an upload of the same file that was skipped does not count as a further one', () => {
  const file = { path: 'roof.jpg', FileName: 'roof.jpg', AssignmentId: 'a', batchId: 'b', addedAtMs: 0 };
  const found = (...states: readonly FoundFile['state'][]): string | null => {
    const same = states.map((state, addedAtMs) => ({ ...file, addedAtMs, state }));
    const { container } = render(<List results={[{ name: 'roof.jpg', same, alike: [] }]} />);
    const { textContent } = container;
    cleanup();
    return textContent;
  };
  expect(found('done', 'skipped', 'skipped')).toContain('“roof.jpg” was uploaded.');
  expect(found('skipped', 'skipped')).toContain('“roof.jpg” was uploaded.');
  expect(found('done', 'done')).toContain('“roof.jpg” was uploaded 2 times.');
});

test('two files of the same name are two results', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const result = { name: '1.jpg', same: [], alike: [] };
  render(<List results={[result, result]} />);
  cleanup();
  expect(logged).not.toHaveBeenCalled();
});
