import { expect, test } from 'vitest';
import { NameTemplate } from './uploads.ts';

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
