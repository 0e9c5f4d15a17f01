// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ProxySettings } from '../../../contract/preferences.ts';
import { emptySnapshot } from '../../testing/fake-bridge.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { NetworkSettings } from './network-settings.tsx';

speakEnglish();

/** Types a manual proxy and applies it. Returns the proxies that main gets, and whether the address is refused. */
const apply = async ({ address, exceptions = '' }: { readonly address: string; readonly exceptions?: string }) => {
  const set: (ProxySettings | undefined)[] = [];
  const network = { proxy: { mode: 'manual', exceptions: [] } } as const;
  const preferences = { ...emptySnapshot.preferences, network };
  await renderPage(<NetworkSettings />, {
    app: { snapshot: () => ({ ...emptySnapshot, preferences }) },
    preferences: {
      set: (changed) => void set.push(changed.network?.proxy),
    },
  });
  const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  type(/^Proxy address/, address);
  type(/^Servers reached/, exceptions);
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Apply' })));
  return { set, isRefused: screen.queryByText(/^Enter a host and a port/) !== null };
};

test.each([
  ['office.example:8080', 'http://office.example:8080'],
  [' https://office.example:8443/ ', 'https://office.example:8443'],
  ['socks5://127.0.0.1:1080', 'socks5://127.0.0.1:1080'],
])('%j is the proxy %j', async (typed, address) => {
  const { set, isRefused } = await apply({ address: typed });
  expect(set).toEqual([{ mode: 'manual', address, exceptions: [] }]);
  expect(isRefused).toBe(false);
});

test.each(['http://jo:secret@office.example:8080', 'ftp://office.example', 'http://office.example/proxy.pac', ''])(
  '%j is no proxy',
  async (address) => {
    expect(await apply({ address })).toEqual({ set: [], isRefused: true });
  },
);

test('a list of exceptions may be separated in any usual way', async () => {
  const exceptions = '*.example.com;10.0.0.0/8, <local>  a.test a.test';
  const { set } = await apply({ address: 'office.example:8080', exceptions });
  expect(set[0]?.exceptions).toEqual(['*.example.com', '10.0.0.0/8', '<local>', 'a.test']);
});
