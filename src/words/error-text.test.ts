import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../contract/errors.ts';
import { windowWords } from './en/window.ts';
import { createSpeech } from './speech.ts';

const { errorText, fileErrorText } = createSpeech({ name: 'window', locale: 'en', words: windowWords }, String);

describe('errorText', () => {
  it.each(ErrorCode.options)('has whole sentences for %s, with and without details', (code) => {
    for (const details of [{}, { path: 'a/b.pdf' }]) {
      const { title, todo } = errorText({ code, details });
      for (const text of [title, todo]) {
        expect(text).toMatch(/^[A-Z].*\.$/);
        expect(text).not.toMatch(/[{}]| {2}| \./);
      }
    }
  });

  it('names the file or folder where it is known', () => {
    expect(errorText({ code: 'upload/file-missing', details: { path: 'a/b.pdf' } }).title).toContain('a/b.pdf');
    expect(errorText({ code: 'upload/file-missing', details: {} }).title).toBe('The file is no longer there.');
  });

  it('speaks of the file where a file was refused', () => {
    expect(fileErrorText({ code: 'service/refused', details: {} })).toEqual({
      title: 'The service rejected this file.',
      todo: 'Retry. If the problem persists, contact IT support.',
    });
    expect(fileErrorText({ code: 'upload/stalled', details: {} })).toEqual(
      errorText({ code: 'upload/stalled', details: {} }),
    );
  });

  it('says why the service rejected a change, where it said so, but not of each file of an upload', () => {
    const rejected = {
      code: 'service/refused',
      details: { status: 409, message: 'The assignment is locked.' },
    } as const;
    expect(errorText(rejected).todo).toMatch(/^The service says: “The assignment is locked”\. Check what you entered/);
    expect(errorText({ code: 'service/refused', details: { status: 409 } }).todo).toMatch(/^Check what/);
    expect(fileErrorText(rejected).todo).not.toContain('locked');
  });

  it('names the field at fault as the form does', () => {
    expect(errorText({ code: 'input/invalid', details: { field: 'authUrl' } }).title).toBe(
      'The value for “Sign-in address” is not valid.',
    );
  });

  it.each([
    ['userinfo', 'user name'],
    ['query', '?'],
    ['fragment', '#'],
  ])('A14: says what to remove from an address with a %s', (part, words) => {
    const { title, todo } = errorText({ code: 'connection/address', details: { field: 'authUrl', part } });
    expect(title).toMatch(/^“Sign-in address” must not contain a /);
    expect(`${title} ${todo}`).toContain(words);
  });

  it('names what the service said of a sign-in, where it said something', () => {
    const title = (details: Record<string, string>) => errorText({ code: 'auth/failed', details }).title;
    expect(title({ error: 'invalid_scope' })).toBe('The sign-in failed: invalid_scope.');
    expect(title({})).toBe('The sign-in failed.');
  });

  it('says the details that are codes in words', () => {
    const title = (details: Record<string, string>) => errorText({ code: 'data/left-out', details }).title;
    expect(title({ part: 'pendingChanges' })).toBe('Some stored data could not be read: pending changes.');
    expect(title({ part: 'unheard of' })).toBe('Some stored data could not be read: unheard of.');
  });

  it('says how long a busy service asks to wait', () => {
    expect(errorText({ code: 'service/busy', details: {}, retryAfterMs: 4200 }).todo).toBe('Try again in 5 seconds.');
    expect(errorText({ code: 'service/busy', details: {}, retryAfterMs: 1 }).todo).toBe('Try again in 1 second.');
  });

  it('A7: says which host asked for a pause, in minutes where it is long', () => {
    expect(errorText({ code: 'service/busy', details: { host: 'a.example' }, retryAfterMs: 900_000 })).toEqual({
      title: 'The server a.example is busy.',
      todo: 'Try again in 15 minutes.',
    });
  });
});
