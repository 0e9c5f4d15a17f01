// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { DraftRow } from '../../../contract/drafts.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { useChoices } from './review.tsx';

speakEnglish();

const row = { rowId: 1, path: '/jobs/Mill Street 1' } as DraftRow;

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
      },
    },
  });
  const undone: string[] = [];
  const { result } = render(() => useChoices((what) => undone.push(what)), undefined);
  const leaving = result.current.setRows({ row, rowIds: [1, 2] }, false);
  const undoing = result.current.undo();
  // A key that is held down must not make the change twice.
  expect(await result.current.setRows({ row, rowIds: [1, 2] }, false)).toBe(false);
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
  const first = result.current.setRows({ row, rowIds: [1] }, false);
  const second = result.current.setRows({ row, rowIds: [2] }, false);
  answer.resolve();
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(left).toEqual([1, 2]);
});

it('accepts proposals as one change, which is named when it is undone', async () => {
  const { render } = await createTestWindow({
    drafts: { accept: ({ rowIds }) => ({ accepted: rowIds.length - 1, left: 1 }), undo: () => {} },
  });
  const said: unknown[] = [];
  const { result } = render(() => useChoices((what) => said.push(what)), undefined);
  expect(await result.current.accept([1, 2, 3], (done) => said.push(done))).toBe(true);
  expect(await result.current.undo()).toBe(true);
  expect(said).toEqual([{ accepted: 2, left: 1 }, '2 proposals accepted']);
});

it('names an earlier change if no proposal was accepted', async () => {
  const { render } = await createTestWindow({
    drafts: { leaveOut: () => {}, accept: () => ({ accepted: 0, left: 3 }), undo: () => {} },
  });
  const said: unknown[] = [];
  const { result } = render(() => useChoices((what) => said.push(what)), undefined);
  await result.current.setRows({ row, rowIds: [1, 2] }, false);
  await result.current.accept([3], () => {});
  await result.current.undo();
  expect(said).toEqual(['2 folders left out']);
});
