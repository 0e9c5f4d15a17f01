import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, test } from 'vitest';
import { Language } from '../../../contract/preferences.ts';
import type { Spoken } from '../../../words/languages.ts';
import { createHostSpeech } from '../../../words/speech.ts';
import { contextTemplate, menuTemplate } from './menu-templates.ts';

const labelsIn = async (spoken: Spoken, isMac: boolean): Promise<readonly (string | undefined)[]> => {
  const speech = await createHostSpeech(spoken);
  const template = menuTemplate({ appName: 'Desk', isMac, isDeveloper: true, onMenu: () => {} }, speech);
  const flat = (items: readonly MenuItemConstructorOptions[]): readonly MenuItemConstructorOptions[] =>
    items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);
  return flat(template)
    .filter(({ type }) => type !== 'separator')
    .map(({ label }) => label);
};

describe.each([true, false])('the menu, on a Mac: %s', (isMac) => {
  it('takes every label from the catalog, whatever its role', async () => {
    for (const label of await labelsIn('pseudo', isMac)) expect(label).toMatch(/^(\[.*\]|Desk)$/);
  });

  it.each(Language.options)('has a label for every item in %s', async (language) => {
    const labels = await labelsIn(language, isMac);
    expect(labels.length).toBeGreaterThan(20);
    expect(labels).not.toContain(undefined);
  });
});

const english = await createHostSpeech('en');
const editFlags = {
  canUndo: false,
  canRedo: false,
  canCut: true,
  canCopy: true,
  canPaste: true,
  canSelectAll: true,
};
const labels = (isEditable: boolean, selectionText: string) =>
  contextTemplate({ isEditable, selectionText, editFlags }, english).map(({ label }) => label);

test('a field can be edited', () => {
  expect(labels(true, '').filter(Boolean)).toEqual(['Undo', 'Redo', 'Cut', 'Copy', 'Paste', 'Select All']);
  const [undo] = contextTemplate({ isEditable: true, selectionText: '', editFlags }, english);
  expect(undo).toMatchObject({ role: 'undo', enabled: false });
});

test('selected text can be copied, and nothing has no menu', () => {
  expect(labels(false, '12 Mill Street')).toEqual(['Copy']);
  expect(labels(false, ' ')).toEqual([]);
});
