// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { eagerly, lazily, loadRest } from './lazy.tsx';

const Text = ({ text }: { readonly text: string }): ReactNode => `loaded ${text}`;
const Fallback = ({ text }: { readonly text: string }): ReactNode => `loading ${text}`;

it('renders the fallback until the code is there, and loads it once for all places', async () => {
  const code = Promise.withResolvers<typeof Text>();
  const load = vi.fn(() => code.promise);
  const Part = lazily(load, Fallback);
  expect(load).not.toHaveBeenCalled();
  render(
    <>
      <Part text="a" />
      <Part text="b" />
    </>,
  );
  expect(document.body.textContent).toBe('loading aloading b');
  await act(async () => code.resolve(Text));
  expect(document.body.textContent).toBe('loaded aloaded b');
  expect(load).toHaveBeenCalledTimes(1);
});

it('loads what nothing has needed yet, and what is declared meanwhile', async () => {
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work));
  const loaded: string[] = [];
  const Outer = lazily(async () => {
    loaded.push('outer');
    lazily(async () => {
      loaded.push('inner');
      return Text;
    });
    return Text;
  });
  await loadRest();
  expect(loaded).toEqual(['outer', 'inner']);
  render(<Outer text="at once" />);
  expect(screen.getByText('loaded at once')).toBeTruthy();
  await loadRest();
  expect(loaded).toHaveLength(2);
});

it('loads at once what a page shows at once', async () => {
  const load = vi.fn(async () => Text);
  const Part = eagerly(load);
  expect(load).toHaveBeenCalledTimes(1);
  await load.mock.results[0]?.value;
  const { container } = render(<Part text="at once" />);
  expect(container.textContent).toBe('loaded at once');
});

it('throws where it is rendered if the code cannot be loaded', async () => {
  const Part = lazily<{ readonly text: string }>(async () => {
    throw new Error('no such file');
  });
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  await expect(act(async () => render(<Part text="a" />))).rejects.toThrow('no such file');
  logged.mockRestore();
});
