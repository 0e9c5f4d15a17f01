import { describe, expect, it, test } from 'vitest';
import { DeskError, type ErrorCode, toErrorData } from '../../../contract/errors.ts';
import { windowWords } from '../../../words/sv/window.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { speak } from '../../words/words.ts';
import { checkConnection, fieldError, fieldErrorText, findingText } from './connection-form.tsx';

speakEnglish();

const found = (code: ErrorCode, details = {}) => findingText(toErrorData(new DeskError(code, 'x', { details })));

test.each([
  ['service/unreachable', { cause: 'ENOTFOUND' }, 'Server not found'],
  ['service/unreachable', { cause: 'ECONNREFUSED' }, 'refused the connection'],
  ['service/unreachable', { cause: 'EPROTO' }, 'cannot be reached'],
  ['service/timeout', {}, 'No response'],
  ['connection/unexpected', { field: 'baseUrl', answer: 'HTTP 404' }, 'HTTP 404'],
] as const)('says of %s %j what it means for the address', (code, details, words) => {
  expect(found(code, details)).toContain(words);
});

speakEnglish();

const good = { baseUrl: 'https://api.example.com', authUrl: 'https://login.example.com', clientId: 'desk' };

describe('checkConnection', () => {
  it('accepts addresses with spaces around them', () => {
    expect(checkConnection({ ...good, baseUrl: '  https://api.example.com ' })).toEqual({
      connection: good,
      errors: {},
    });
  });

  it('adds https:// to an address without it', () => {
    const typed = { ...good, baseUrl: 'api.example.com:8443/v1', authUrl: ' login.example.com' };
    expect(checkConnection(typed)).toEqual({
      connection: { ...good, baseUrl: 'https://api.example.com:8443/v1' },
      errors: {},
    });
  });

  it('names each wrong field', () => {
    const { connection, errors } = checkConnection({ baseUrl: 'not a host', authUrl: 'ftp://x', clientId: '  ' });
    expect(connection).toBeUndefined();
    expect(Object.keys(errors).sort()).toEqual(['authUrl', 'baseUrl', 'clientId']);
  });

  it.each([
    ['baseUrl', 'https://user:secret@api.example.com', 'user name or password'],
    ['authUrl', 'https://login.example.com/oauth?tenant=a', '?'],
    ['authUrl', 'https://login.example.com/#a', '#'],
    ['baseUrl', 'http://api.example.com', 'not secure'],
  ] as const)('A14: marks %s %s', (field, address, words) => {
    const { connection, errors } = checkConnection({ ...good, [field]: address });
    expect(connection).toBeUndefined();
    expect(Object.keys(errors)).toEqual([field]);
    const error = errors[field];
    expect(error && fieldErrorText(field, error)).toContain(words);
    expect(JSON.stringify(errors)).not.toContain('secret');
  });
});

describe('fieldError', () => {
  it('assigns an error to the field it names', () => {
    const error = new DeskError('connection/insecure', 'http', { details: { field: 'authUrl' } });
    expect(fieldError(error)?.authUrl?.code).toBe('connection/insecure');
  });

  it('leaves other errors to the caller', () => {
    expect(fieldError(new DeskError('connection/insecure', 'http'))).toBeUndefined();
    expect(fieldError(new DeskError('input/invalid', 'x', { details: { field: 'toString' } }))).toBeUndefined();
  });
});

describe('fieldErrorText', () => {
  it('follows the language', () => {
    const { errors } = checkConnection({ ...good, clientId: '' });
    const error = errors.clientId;
    expect(error && fieldErrorText('clientId', error)).toBe('Enter the client ID that you received for this app.');
    speak({ name: 'window', locale: 'sv', words: windowWords });
    expect(error && fieldErrorText('clientId', error)).toBe(windowWords.connection.wrong.clientId);
    speakEnglish();
  });
});

describe('the advanced fields', () => {
  it('are left out if they are empty', () => {
    expect(checkConnection({ ...good, scope: '  ' }).connection).toEqual(good);
  });

  it('give a scope with single spaces', () => {
    expect(checkConnection({ ...good, scope: ' openid  offline_access ' })).toEqual({
      connection: { ...good, scope: 'openid offline_access' },
      errors: {},
    });
  });

  it('reject what cannot be a scope', () => {
    expect(Object.keys(checkConnection({ ...good, scope: 'open"id' }).errors)).toEqual(['scope']);
  });
});
