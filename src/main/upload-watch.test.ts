import { expect, test } from 'vitest';
import type { Batch } from '../contract/models.ts';
import { createUploadWatch } from './upload-watch.ts';

const setUp = () => {
  const notified: string[] = [];
  const calls = { awake: 0, kept: 0 };
  const watch = createUploadWatch({
    keepAwake: () => {
      calls.awake += 1;
      calls.kept += 1;
      return () => {
        calls.awake -= 1;
      };
    },
    notify: ({ batch, state }) => notified.push(`${batch} ${state}`),
  });
  const see = (batch: string, state: Batch['state']) => watch.see({ batch, state } as Batch);
  return { watch, see, notified, calls };
};

test('the machine stays awake, once, while any batch runs', () => {
  const { see, calls } = setUp();
  see('a', 'scanning');
  see('a', 'running');
  see('b', 'running');
  expect(calls).toEqual({ awake: 1, kept: 1 });
  see('a', 'finished');
  expect(calls.awake).toBe(1);
  see('b', 'paused');
  expect(calls.awake).toBe(0);
});

test('the person hears of each end once, and not of one they made by cancelling', () => {
  const { watch, see, notified } = setUp();
  see('a', 'finished');
  see('a', 'running');
  see('a', 'finished');
  see('a', 'finished');
  see('b', 'running');
  see('b', 'cancelled');
  see('c', 'running');
  watch.see({ batch: 'c', state: 'paused', reason: { code: 'upload/cancelling' } } as Batch);
  expect(notified).toEqual(['a finished']);
});

test('closing lets the machine sleep', () => {
  const { watch, see, calls } = setUp();
  see('a', 'running');
  watch.close();
  expect(calls.awake).toBe(0);
});
