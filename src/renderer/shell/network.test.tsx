// @vitest-environment happy-dom
/** Tests what the window shows about the network: which proxy is set, and the question for its password. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { WantedPassword } from '../../contract/connection.ts';
import type { ManagedPath, Network } from '../../contract/preferences.ts';
import { NetworkSettings } from '../features/settings/network-settings.tsx';
import { emptySnapshot } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { AppUi } from './app.tsx';
import { ProxyPasswordDialog } from './proxy-password-dialog.tsx';

speakEnglish();
const { preferences } = emptySnapshot;

const showSettings = async (network: Network, managed: readonly ManagedPath[] = []) => {
  const sent: unknown[] = [];
  const { wrapper: Wrapper } = await createTestWindow({
    app: { snapshot: () => ({ ...emptySnapshot, managed, preferences: { ...preferences, network } }) },
    preferences: {
      set: (patch) => void sent.push(patch),
    },
  });
  render(
    <Wrapper>
      <AppUi>
        <NetworkSettings />
      </AppUi>
    </Wrapper>,
  );
  return sent;
};

const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('keeps a proxy that is set by hand once its address is complete', async () => {
  const sent = await showSettings({ proxy: { mode: 'system', exceptions: [] } });
  type('Proxy', 'manual');
  type('Proxy address', 'http://jo:secret@office.example:8080');
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
  await screen.findByText('Enter a host and a port, without a user name or a path.');
  expect(sent).toEqual([]);
  type('Proxy address', 'office.example:8080');
  type('Servers reached without the proxy', '*.test, 10.0.0.0/8');
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
  const proxy = { mode: 'manual', address: 'http://office.example:8080', exceptions: ['*.test', '10.0.0.0/8'] };
  await waitFor(() => expect(sent).toEqual([{ network: { proxy } }]));
});

it('only shows what the organisation has set', async () => {
  const proxy = { mode: 'manual' as const, address: 'http://office.example:8080', exceptions: ['*.test'] };
  await showSettings({ proxy, caFile: '/etc/office.pem' }, ['network.proxy', 'network.caFile']);
  const fields = screen.getAllByRole<HTMLInputElement>('textbox');
  expect(fields.map(({ value }) => value)).toEqual(['Manual', proxy.address, '*.test', '/etc/office.pem']);
  expect(fields.every(({ readOnly }) => readOnly)).toBe(true);
  expect(screen.queryAllByRole('button')).toEqual([]);
});

it('asks for the password of a proxy, and says that one was wrong', async () => {
  const entered: unknown[] = [];
  const dismissed: unknown[] = [];
  const { wrapper: Wrapper } = await createTestWindow({
    network: {
      enterProxyPassword: (input) => void entered.push(input),
      dismissProxyPassword: () => void dismissed.push('dismissed'),
    },
  });
  const dialog = (wanted: WantedPassword, open = true) => (
    <Wrapper>
      <AppUi>
        <ProxyPasswordDialog wanted={wanted} open={open} />
      </AppUi>
    </Wrapper>
  );
  const { rerender } = render(dialog({ proxy: 'office.example:8080', wrong: false, inClear: false }));
  await screen.findByText('The proxy office.example:8080 requires a user name and a password.');
  expect(screen.queryByText(/receives the password unencrypted/)).toBeNull();
  type('Password', 'secret');
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(entered, 'without a name').toEqual([]);
  type(/User name/, 'jo');
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() =>
    expect(entered).toEqual([{ proxy: 'office.example:8080', inClear: false, user: 'jo', password: 'secret' }]),
  );
  rerender(dialog({ proxy: 'office.example:8080', wrong: false, inClear: false }, false));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  rerender(dialog({ proxy: 'office.example:8080', wrong: true, inClear: false }));
  await screen.findByText(/rejected the user name and the password/);
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('');
  const user = () => screen.getByLabelText<HTMLInputElement>(/User name/);
  expect(user().value).toBe('jo');
  await waitFor(() => expect(document.activeElement).toBe(user()));
  rerender(dialog({ proxy: 'home.example:8080', wrong: false, inClear: true }));
  expect(user().value, 'another proxy').toBe('');
  expect(screen.queryByText(/receives the password unencrypted/)).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
  await waitFor(() => expect(dismissed).toEqual(['dismissed']));
});
