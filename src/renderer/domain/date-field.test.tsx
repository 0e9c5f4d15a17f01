// @vitest-environment happy-dom
import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setFormats } from '../words/formats.ts';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { DateField } from './date-field.tsx';

speakEnglish();

let values: string[] = [];
let setValue: (value: string) => void = () => {};

const Form = ({ begun, withTime }: { readonly begun: string; readonly withTime: boolean }) => {
  const [value, keep] = useState(begun);
  setValue = keep;
  const onChange = (next: string): void => {
    values.push(next);
    keep(next);
  };
  return (
    <FluentProvider theme={webLightTheme}>
      <DateField label="From" value={value} withTime={withTime} onChange={onChange} />
    </FluentProvider>
  );
};

beforeEach(() => {
  values = [];
  setFormats({ language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto', systemLocale: 'en-GB' });
});
afterEach(cleanup);

const show = (begun = '', withTime = false) => {
  render(<Form begun={begun} withTime={withTime} />);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'From' });
  return { field, type: (text: string) => fireEvent.change(field, { target: { value: text } }) };
};

it('says how a date is typed where a text that is none was submitted', () => {
  render(
    <FluentProvider theme={webLightTheme}>
      <DateField label="From" value="" message="Enter a date." onChange={() => {}} />
    </FluentProvider>,
  );
  const field = screen.getByRole('textbox', { name: 'From' });
  expect(screen.getByText('Enter a date.')).toBeDefined();
  fireEvent.change(field, { target: { value: '5.12' } });
  expect(screen.queryByText('Enter a date.')).toBeNull();
  expect(screen.getByText(/^Enter a date such as \d/)).toBeDefined();
});

it('says that the time is optional where a text is no date and time', () => {
  const { field, type } = show('', true);
  type('1/3');
  fireEvent.blur(field);
  expect(screen.getByText(/^Enter a date, time optional, such as \d/)).toBeDefined();
});

it('a date is typed in the chosen format, and written in full once it is left', () => {
  const { field, type } = show();
  expect(field.placeholder).toBe('dd/mm/yyyy');
  type('1/3/2');
  type('1/3/27');
  expect(field.value).toBe('1/3/27');
  expect(values).toEqual(['', '2027-03-01']);
  fireEvent.blur(field);
  expect(field.value).toBe('01/03/2027');
});

it('what is no date stays for correction, with an example, and counts as none', () => {
  const { field, type } = show('2027-03-01');
  type('31/02/2027');
  expect(screen.queryByText(/^Enter a date/)).toBeNull();
  fireEvent.blur(field);
  expect(field.value).toBe('31/02/2027');
  expect(screen.getByText(/^Enter a date such as \d\d\/\d\d\/\d{4}\.$/)).toBeDefined();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(values.at(-1)).toBe('');
  fireEvent.change(field, { target: { value: '' } });
  fireEvent.blur(field);
  expect(screen.queryByText(/^Enter a date/)).toBeNull();
});

it('shows a value that comes from elsewhere', () => {
  const { field, type } = show();
  type('1/3/2027');
  fireEvent.blur(field);
  setValue('2028-12-24');
  return screen.findByDisplayValue('24/12/2028').then((shown) => expect(shown).toBe(field));
});

it('a day of the calendar keeps the time; Alt+↓ opens it', async () => {
  const { field } = show('2027-03-01T18:30', true);
  fireEvent.keyDown(field, { key: 'ArrowDown', altKey: true });
  fireEvent.click(await screen.findByRole('button', { name: '24, March, 2027' }));
  expect(values).toEqual(['2027-03-24T18:30']);
  expect(field.value).toBe('24/03/2027 18:30');
});

it('a day without a time begins in the morning, and the time can be typed', async () => {
  const { field, type } = show('', true);
  fireEvent.click(screen.getByRole('button', { name: 'Choose a date' }));
  fireEvent.click((await screen.findAllByRole('button', { name: /^15, / }))[0] ?? field);
  expect(values.at(-1)).toMatch(/^\d{4}-\d\d-15T08:00$/);
  type(field.value.replace('08:00', '9:15'));
  expect(values.at(-1)).toMatch(/-15T09:15$/);
});

it('Escape closes the calendar and leaves the date', async () => {
  const { field } = show('2027-03-01');
  fireEvent.click(screen.getByRole('button', { name: 'Choose a date' }));
  fireEvent.keyDown(await screen.findByRole('button', { name: '24, March, 2027' }), { key: 'Escape' });
  expect(screen.queryByRole('grid')).toBeNull();
  expect([field.value, values]).toEqual(['01/03/2027', []]);
});
