// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectionCheck } from '../../../contract/connection.ts';
import { DeskError, type ErrorCode, toErrorData } from '../../../contract/errors.ts';
import { windowWords } from '../../../words/sv/window.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { speak } from '../../words/words.ts';
import { ConnectionForm } from './connection-form.tsx';

speakEnglish();

const good = { baseUrl: 'https://api.example.com', authUrl: 'https://login.example.com', clientId: 'desk' };

type Main = { readonly check?: () => ConnectionCheck | Promise<ConnectionCheck>; readonly set?: () => void };

/** Types `values` into the form and sends it. `sent`: the connections that main gets. */
const send = async (values: Readonly<Record<string, string>>, { check = () => ({}), set = () => {} }: Main = {}) => {
  const sent: unknown[] = [];
  const { wrapper } = await createTestWindow({
    connection: {
      check,
      set: (connection) => {
        sent.push(connection);
        set();
      },
    },
  });
  const form = <ConnectionForm onCancel={() => {}} />;
  const { rerender } = render(form, { wrapper });
  const input = (name: string) => document.querySelector(`input[name="${name}"]`) ?? expect.fail(`no field ${name}`);
  for (const [name, value] of Object.entries(values)) fireEvent.change(input(name), { target: { value } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Connect' })));
  /** The text beside a field, which says what is wrong with the field, or what was found. */
  const remarkOn = (name: string) => {
    const ids = input(name).getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
  };
  const wrong = () =>
    Object.keys({ ...good, scope: '' }).filter((name) => input(name).matches('[aria-invalid="true"]'));
  return { sent, remarkOn, wrong, renderAgain: (page: ReactNode = form) => rerender(page) };
};

it.each<readonly [ErrorCode, Readonly<Record<string, string>>, string]>([
  ['service/unreachable', { cause: 'ENOTFOUND' }, 'Server not found'],
  ['service/unreachable', { cause: 'ECONNREFUSED' }, 'refused the connection'],
  ['service/unreachable', { cause: 'EPROTO' }, 'cannot be reached'],
  ['service/timeout', {}, 'No response'],
  ['connection/unexpected', { field: 'baseUrl', answer: 'HTTP 404' }, 'HTTP 404'],
])('says of %s %j what it means for the address', async (code, details, words) => {
  const baseUrl = toErrorData(new DeskError(code, 'x', { details }));
  const { sent, remarkOn } = await send(good, { check: () => ({ baseUrl }) });
  expect(remarkOn('baseUrl')).toContain(words);
  expect(sent).toEqual([]);
});

describe('what is typed', () => {
  it('may have spaces around an address', async () => {
    const { sent, wrong } = await send({ ...good, baseUrl: '  https://api.example.com ' });
    expect([sent, wrong()]).toEqual([[good], []]);
  });

  it('gets https:// where an address lacks it', async () => {
    const typed = { ...good, baseUrl: 'api.example.com:8443/v1', authUrl: ' login.example.com' };
    expect((await send(typed)).sent).toEqual([{ ...good, baseUrl: 'https://api.example.com:8443/v1' }]);
  });

  it('is marked in each field that is wrong', async () => {
    const { sent, wrong } = await send({ baseUrl: 'not a host', authUrl: 'ftp://x', clientId: '  ' });
    expect([sent, wrong()]).toEqual([[], ['baseUrl', 'authUrl', 'clientId']]);
  });

  it.each([
    ['baseUrl', 'https://user:secret@api.example.com', 'user name or password'],
    ['authUrl', 'https://login.example.com/oauth?tenant=a', '?'],
    ['authUrl', 'https://login.example.com/#a', '#'],
    ['baseUrl', 'http://api.example.com', 'not secure'],
  ])('A14: marks %s %s', async (field, address, words) => {
    const { sent, wrong, remarkOn } = await send({ ...good, [field]: address });
    expect([sent, wrong()]).toEqual([[], [field]]);
    expect(remarkOn(field)).toContain(words);
    expect(document.body.textContent).not.toContain('secret');
  });
});

describe('an error of main', () => {
  const failing = (details: Readonly<Record<string, string>>) => ({
    set: () => {
      throw new DeskError('connection/insecure', 'http', { details });
    },
  });

  it('is shown at the field that it names', async () => {
    const { wrong, remarkOn } = await send(good, failing({ field: 'authUrl' }));
    expect(wrong()).toEqual(['authUrl']);
    expect(remarkOn('authUrl')).toContain('not secure');
  });

  it.each([{}, { field: 'toString' }])('is shown below the fields if it names none of them: %j', async (details) => {
    const { wrong } = await send(good, failing(details));
    expect(wrong()).toEqual([]);
    expect(document.body.textContent).toContain('not secure');
  });
});

it('says what is wrong in the language of the moment', async () => {
  const { remarkOn, renderAgain } = await send({ ...good, clientId: '' });
  expect(remarkOn('clientId')).toBe('Enter the client ID that you received for this app.');
  onTestFinished(speakEnglish);
  act(() => speak({ name: 'window', locale: 'sv', words: windowWords }));
  renderAgain();
  expect(remarkOn('clientId')).toBe(windowWords.connection.wrong.clientId);
});

describe('the scope', () => {
  it('is left out if it is empty', async () => {
    expect((await send({ ...good, scope: '  ' })).sent).toEqual([good]);
  });

  it('has single spaces', async () => {
    const { sent } = await send({ ...good, scope: ' openid  offline_access ' });
    expect(sent).toEqual([{ ...good, scope: 'openid offline_access' }]);
  });

  it('is marked if it cannot be one', async () => {
    const { sent, wrong } = await send({ ...good, scope: 'open"id' });
    expect([sent, wrong()]).toEqual([[], ['scope']]);
  });
});

it('sets no connection once it is cancelled, even if the addresses are still being checked', async () => {
  const checking = Promise.withResolvers<ConnectionCheck>();
  const { sent, renderAgain } = await send(good, { check: () => checking.promise });
  renderAgain(<p>The settings</p>);
  await act(async () => checking.resolve({}));
  expect(sent).toEqual([]);
});
