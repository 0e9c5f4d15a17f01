// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { DateField } from './date-field.tsx';
import { useFilters } from './filter-bar.tsx';

speakEnglish();

const Filters = () => {
  const filters = useFilters(1, () => {});
  return (
    <>
      {filters.button}
      {filters.barOf(<DateField label="From" value="" onChange={() => {}} />)}
    </>
  );
};

it('clears a text that is not a date, too', async () => {
  await renderPage(<Filters />);
  fireEvent.click(screen.getByRole('button', { name: 'Filter (1)' }));
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'From' });
  fireEvent.change(field(), { target: { value: 'abc' } });
  expect(field().value).toBe('abc');
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(field().value).toBe('');
});
