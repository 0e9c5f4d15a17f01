import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Verdict } from '../../../contract/uploads.ts';
import { createVerifications, sourcesToSend } from './verifications.ts';

const part = (files: Readonly<Record<string, Verdict>>, next?: number) => ({
  files: Object.entries(files).map(([path, verdict]) => ({
    path,
    verdict,
    FileName: path,
    state: 'done' as const,
    sizeBytes: 1,
  })),
  ...(next !== undefined && { next }),
});

const sent = (path: string) => ({ path, isNewVersion: true });

test('knows the last comparison that came to its end, and what can be sent again', () => {
  const { add, of } = createVerifications();
  add('1', 0, part({ 'a.jpg': 'same', 'roof/b.jpg': 'changed' }, 2), 10);
  expect(of('1')).toBeUndefined();
  add('1', 2, part({ 'roof/c.jpg': 'missing', 'd.jpg': 'not-uploaded', 'e.jpg': 'removed' }), 20);
  const verified = {
    atMs: 20,
    files: 4,
    same: 1,
    toSend: [sent('roof/b.jpg'), { ...sent('d.jpg'), isNewVersion: false }],
  };
  expect(of('1')).toEqual(verified);

  // Neither a comparison that does not end nor one of another upload changes the result.
  add('1', 0, part({ 'a.jpg': 'changed' }, 1), 30);
  add('2', 0, part({ 'x.jpg': 'same' }, 1), 40);
  expect(of('1')).toEqual(verified);
  expect(of('2')).toBeUndefined();
  add('1', 1, part({ 'b.jpg': 'same' }), 50);
  expect(of('1')).toEqual({ atMs: 50, files: 2, same: 1, toSend: [sent('a.jpg')] });
});

test('counts each file once when a command and the window compare the same upload', () => {
  const { add, of } = createVerifications();
  add('1', 0, part({ 'a.jpg': 'same' }, 1), 10);
  add('1', 0, part({ 'a.jpg': 'same' }, 1), 20);
  add('1', 1, part({ 'b.jpg': 'same' }, 2), 30);
  add('1', 1, part({ 'b.jpg': 'same' }, 2), 40);
  add('1', 2, part({ 'c.jpg': 'same' }), 50);
  add('1', 2, part({ 'c.jpg': 'same' }), 60);
  expect(of('1')).toEqual({ atMs: 50, files: 3, same: 3, toSend: [] });
});

test('files that are sent again come from the folders that they lie in', () => {
  const toSend = [sent('roof/b.jpg'), sent('d.jpg'), { path: 'roof/c.jpg', isNewVersion: false }];
  expect(sourcesToSend('/jobs', toSend)).toEqual([
    { root: join('/jobs', 'roof'), only: ['b.jpg', 'c.jpg'], replaces: ['b.jpg'] },
    { root: join('/jobs', ''), only: ['d.jpg'], replaces: ['d.jpg'] },
  ]);
});

test('files in archives that are sent again come from the folders that their archives lie in', () => {
  const paths = ['roof/b.zip//1.jpg', 'roof/b.zip//in/2.jpg', 'roof/c.jpg', 'd.eml//plan.pdf'];
  expect(sourcesToSend('/jobs', paths.map(sent))).toMatchObject([
    { root: join('/jobs', 'roof'), only: ['b.zip//1.jpg', 'b.zip//in/2.jpg', 'c.jpg'] },
    { root: join('/jobs', ''), only: ['d.eml//plan.pdf'] },
  ]);
});
