import { expect, test } from 'vitest';
import { batchName, commonFolderName, NameTemplate } from './uploads.ts';

test.each([
  '{name}',
  '{path}',
  '{folder} - {name}',
  '{name} ({folder})',
  '{folder}{folder}{name}',
  'Spring 2031, {path}',
])('%j is a template', (text) => expect(NameTemplate.safeParse(text).success).toBe(true));

test.each([
  '',
  'photo',
  '{folder}',
  '{name}{name}',
  '{name} {path}',
  '{Name}',
  '{name',
  '{name}}',
  '{date} {name}',
  '{folder}/{name}',
  '{name}?',
  `{name}${'x'.repeat(100)}`,
])('%j is none', (text) => expect(NameTemplate.safeParse(text).success).toBe(false));

test('a batch is named after the last part of the path of its folder', () => {
  expect(batchName({ root: 'C:\\Users\\Anna\\Photos' })).toBe('Photos');
  expect(batchName({ root: '/home/anna/Photos/' })).toBe('Photos');
  expect(batchName({ root: '/' })).toBe('/');
});

test('a batch of one chosen zip or mail is named after it, not after the folder around it', () => {
  expect(batchName({ root: '/home/anna/Inbox', only: 'Harbour Road 12.zip' })).toBe('Harbour Road 12.zip');
});

test('several folders are named after the one that contains them all', () => {
  expect(commonFolderName(['/home/anna/Jobs/Elm Road 1', '/home/anna/Jobs/Elm Road 2/photos'])).toBe('Jobs');
  expect(commonFolderName(['D:\\Jobs', 'D:\\Jobs\\Elm Road 1'])).toBe('Jobs');
  expect(commonFolderName(['/Jobs/Elm Road 1'])).toBe('Elm Road 1');
  expect(commonFolderName(['D:\\a', 'D:\\b'])).toBeUndefined();
  expect(commonFolderName(['/a', '/b'])).toBeUndefined();
});
