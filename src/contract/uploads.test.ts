import { expect, test } from 'vitest';
import { commonFolderName, NameTemplate } from './uploads.ts';

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

test('several folders are named after the one that contains them all', () => {
  expect(commonFolderName(['/home/anna/Jobs/Elm Road 1', '/home/anna/Jobs/Elm Road 2/photos'])).toBe('Jobs');
  expect(commonFolderName(['D:\\Jobs', 'D:\\Jobs\\Elm Road 1'])).toBe('Jobs');
  expect(commonFolderName(['/Jobs/Elm Road 1'])).toBe('Elm Road 1');
  expect(commonFolderName(['D:\\a', 'D:\\b'])).toBeUndefined();
  expect(commonFolderName(['/a', '/b'])).toBeUndefined();
});
