// @vitest-environment happy-dom
import { act, fireEvent, render, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Preferences } from '../../contract/preferences.ts';
import { emptySnapshot } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { formats, useWordsRevision } from '../words/formats.ts';
import { spokenLocale, t } from '../words/words.ts';
import { followLanguage } from './follow-language.ts';

const Form = () => {
  useWordsRevision();
  return (
    <label>
      {t('common.cancel')}
      <input />
    </label>
  );
};

const openWindow = async (preferences: Partial<Preferences>, systemLanguage: 'en' | 'de' = 'en') => {
  const snapshot = { ...emptySnapshot, systemLanguage, preferences: { ...emptySnapshot.preferences, ...preferences } };
  const window = await createTestWindow({ app: { snapshot: () => snapshot } });
  let revision = snapshot.revision;
  const prefer = (changed: Partial<Preferences>): void => {
    revision += 1;
    window.emit({ revision, type: 'preferences', value: { ...snapshot.preferences, ...changed } });
  };
  return { ...window, prefer };
};

it('begins in the chosen language, whatever the page began with', async () => {
  const { store } = await openWindow({ language: 'sv' });
  await followLanguage(store, 'en');
  expect(spokenLocale()).toBe('sv');
});

it('changes the language at once, and keeps what was typed', async () => {
  const { store, prefer } = await openWindow({}, 'de');
  await followLanguage(store, 'de');
  const { container } = render(<Form />);
  const input = container.querySelector('input') ?? document.createElement('input');
  fireEvent.change(input, { target: { value: 'Storgatan' } });
  const german = container.textContent;
  act(() => prefer({ language: 'sv', formats: 'de' }));
  await waitFor(() => expect(spokenLocale()).toBe('sv'));
  expect(container.textContent).not.toBe(german);
  expect(container.textContent).toBe(t('common.cancel'));
  expect(container.querySelector('input')).toBe(input);
  expect(input.value).toBe('Storgatan');
  expect(formats().number(1204.5)).toBe('1.204,5');
});

it('speaks the language that was chosen last, however long others take to load', async () => {
  const { store, prefer } = await openWindow({});
  await followLanguage(store, 'en');
  prefer({ language: 'de' });
  prefer({ language: 'sv' });
  prefer({ language: 'en' });
  prefer({ language: 'sv' });
  await waitFor(() => expect(spokenLocale()).toBe('sv'));
});

it('speaks the pseudo-language in place of the system’s, and leaves it for one that is chosen', async () => {
  const { store, prefer } = await openWindow({}, 'de');
  await followLanguage(store, 'pseudo');
  expect(spokenLocale()).toBe('en-XA');
  expect(t('common.cancel')).toMatch(/^\[.*\]$/);
  prefer({ language: 'sv' });
  await waitFor(() => expect(spokenLocale()).toBe('sv'));
  prefer({ language: 'system' });
  await waitFor(() => expect(spokenLocale()).toBe('en-XA'));
});
