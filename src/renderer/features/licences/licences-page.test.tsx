// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { LicencesPage } from './licences-page.tsx';

speakEnglish();

const licences = [
  { name: '@scope/react-thing', version: '1.2.3', licence: 'MIT', text: '' },
  { name: 'zod', version: '4.0.0', licence: 'MIT', text: '' },
  { name: 'other', version: '1.0.0', licence: 'Apache-2.0', text: 'MIT is named here only' },
];

it('finds by name, version and licence in any case', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(licences));
  onTestFinished(() => fetched.mockRestore());
  await renderPage(<LicencesPage />);
  await screen.findByText('zod');
  const found = (value: string) => {
    fireEvent.change(screen.getByRole('searchbox'), { target: { value } });
    return [...document.querySelectorAll('summary > :first-child')].map(({ textContent }) => textContent);
  };
  expect(found('')).toHaveLength(3);
  expect(found('mit')).toEqual(['@scope/react-thing', 'zod']);
  expect(found('React 1.2')).toEqual(['@scope/react-thing']);
  expect(found('apache zod')).toEqual([]);
});
