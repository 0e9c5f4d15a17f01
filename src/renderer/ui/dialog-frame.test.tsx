// @vitest-environment happy-dom
import { Button, FluentProvider, webLightTheme } from '@fluentui/react-components';
import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { DialogFrame } from './dialog-frame.tsx';

speakEnglish();
afterEach(cleanup);

/** Shows a dialog with these children, and returns the text of the element that has the focus. */
const focusedIn = (children: ReactNode, disabled = false): string | null | undefined => {
  const buttons = (
    <>
      <Button>Replace</Button>
      <Button type="submit" disabledFocusable={disabled}>
        Add
      </Button>
    </>
  );
  render(
    <FluentProvider theme={webLightTheme}>
      <DialogFrame title="Another upload is being prepared" onClose={() => {}} onSubmit={() => {}} actions={buttons}>
        {children}
      </DialogFrame>
    </FluentProvider>,
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
