// @vitest-environment happy-dom
import { Button, FluentProvider, webLightTheme } from '@fluentui/react-components';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ComponentProps, ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { testUi } from './testing/test-ui.ts';
import { UiProvider } from './ui-context.ts';

speakEnglish();
afterEach(cleanup);

/** The errors that were reported outside of the dialog. */
const reports: unknown[] = [];

const inUi = (dialog: ReactNode) => (
  <FluentProvider theme={webLightTheme}>
    <UiProvider value={{ ...testUi, report: (error) => reports.push(error) }}>{dialog}</UiProvider>
  </FluentProvider>
);

/** Shows a dialog with these children, and returns the text of the element that has the focus. */
const focusedIn = (children: ReactNode, disabled = false): string | null | undefined => {
  const main = { label: 'Add', disabled, act: () => {} };
  render(
    inUi(
      <DialogFrame title="Another upload" onClose={() => {}} actions={<Button>Replace</Button>} main={main}>
        {children}
      </DialogFrame>,
    ),
  );
  return document.activeElement?.textContent;
};

it('begins at the main action if there is nothing to enter, so that Enter takes it', () => {
  expect(focusedIn('It contains 3 folders.')).toBe('Add');
});

it.each([
  ['there is a field', <input key="field" />, false],
  ['it is not possible yet', 'Loading…', true],
])('does not begin at the main action if %s', (_, children, disabled) => {
  expect(focusedIn(children, disabled)).not.toBe('Add');
});

const withField = (main: ComponentProps<typeof DialogFrame>['main'], key = '') =>
  inUi(
    <DialogFrame key={key} title="Watch" onClose={() => {}} {...(main && { main })}>
      <input aria-label={`${key}Name`} />
    </DialogFrame>,
  );

/** Submits the form, as Enter does in a field. */
const enterIn = (name: string): void => screen.getByLabelText(name).closest('form')?.requestSubmit();

it('performs the main action by Enter, unless it is not possible', async () => {
  const done: string[] = [];
  const main = { label: 'Save', act: async () => done.push('saved') };
  const { rerender } = render(withField({ ...main, disabled: true }));
  enterIn('Name');
  expect(done).toEqual([]);
  rerender(withField(main));
  enterIn('Name');
  await waitFor(() => expect(done).toEqual(['saved']));
});

it('does not end a dialog that was opened after an earlier one was closed, when the action of that one ends', async () => {
  const ended: string[] = [];
  const removing = Promise.withResolvers<void>();
  const dialog = (key: string) =>
    withField({ label: 'Remove', act: () => removing.promise, onDone: () => ended.push(key) }, key);
  const { rerender } = render(dialog('first'));
  enterIn('firstName');
  rerender(dialog('second'));
  await act(async () => removing.resolve());
  expect(ended).toEqual([]);
  enterIn('secondName');
  await waitFor(() => expect(ended).toEqual(['second']));
});

it('shows the error of its action until the next attempt, and outside once it is closed', async () => {
  const ended: string[] = [];
  let acting = Promise.withResolvers<void>();
  const main = { label: 'Watch', act: () => acting.promise, onDone: () => ended.push('ended') };
  const { rerender } = render(withField(main));
  enterIn('Name');
  await act(async () => acting.reject(new DeskError('upload/folder-missing', 'gone')));
  const error = await screen.findByText(/^The folder .*is no longer there\.$/);
  expect(error.closest('[role="dialog"] [role="alert"]')).not.toBeNull();
  acting = Promise.withResolvers<void>();
  enterIn('Name');
  await act(async () => acting.resolve());
  expect(ended).toEqual(['ended']);
  expect(error.isConnected).toBe(false);
  expect(reports).toEqual([]);
  acting = Promise.withResolvers<void>();
  enterIn('Name');
  rerender(withField(undefined, 'other'));
  const late = new DeskError('data/unwritable', 'full');
  await act(async () => acting.reject(late));
  expect(reports).toEqual([late]);
});
