// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { UndoneChange } from '../../../contract/drafts.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { sampleDraftRow } from '../../testing/sample-draft-row.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { useChoices } from './review.tsx';

speakEnglish();

it('takes back a change that is on screen before its answer has come', async () => {
  const answer = Promise.withResolvers<void>();
  const calls: string[] = [];
  const { render } = await createTestWindow({
    drafts: {
      leaveOut: () => {
        calls.push('leaveOut');
        return answer.promise;
      },
      undo: () => {
        calls.push('undo');
        return { kind: 'leaveOut', count: 2 };
      },
    },
  });
  const undone: string[] = [];
  const { result } = render(() => useChoices((what) => undone.push(what)), undefined);
  const leaving = result.current.setRows([1, 2], false);
  const undoing = result.current.undo();
  // A key that is held down must not make the change twice.
  expect(await result.current.setRows([1, 2], false)).toBe(false);
  answer.resolve();
  expect(await Promise.all([leaving, undoing])).toEqual([true, true]);
  expect(calls).toEqual(['leaveOut', 'undo']);
  expect(undone).toEqual(['2 folders left out']);
});

it('changes the next row, which is on screen before the answer for the one before has come', async () => {
  const answer = Promise.withResolvers<void>();
  const left: number[] = [];
  const { render } = await createTestWindow({
    drafts: {
      leaveOut: ({ rowIds }) => {
        left.push(...rowIds);
        return left.length === 1 ? answer.promise : undefined;
      },
    },
  });
  const { result } = render(() => useChoices(() => {}), undefined);
  const first = result.current.setRows([1], false);
  const second = result.current.setRows([2], false);
  answer.resolve();
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(left).toEqual([1, 2]);
});

it('names the undone change, even one that the window did not make, and says nothing if there was none', async () => {
  const row = { ...sampleDraftRow, path: 'Jobs/Mill Street 1' };
  const changes: (UndoneChange | undefined)[] = [
    { kind: 'assign', count: 1, row, AssignmentId: '5' },
    { kind: 'assign', count: 2, AssignmentId: '5' },
    { kind: 'leaveOut', count: 1, row },
    { kind: 'leaveOut', count: 1, path: 'photos/a.jpg' },
    { kind: 'include', count: 1200 },
    { kind: 'includeFiles', count: 1 },
    { kind: 'accept', count: 2 },
    { kind: 'clash', count: 1 },
    { kind: 'scope', count: 0 },
    undefined,
  ];
  const said: string[] = [];
  const { render } = await createTestWindow({ drafts: { undo: () => changes.shift() } });
  const { result } = render(() => useChoices((what) => said.push(what)), undefined);
  while (changes.length > 0) expect(await result.current.undo()).toBe(true);
  expect(said).toEqual([
    'Mill Street 1 to Assignment 5',
    '2 folders to Assignment 5',
    'Mill Street 1 left out',
    'photos/a.jpg left out',
    '1,200 folders included',
    '1 file included',
    '2 proposals accepted',
    'choice for taken names',
    'the last change',
  ]);
});
