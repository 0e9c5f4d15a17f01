import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { Language } from '../../../contract/preferences.ts';
import { createHostSpeech } from '../../../words/speech/host-speech.ts';
import type { Spoken } from '../../../words/speech/languages.ts';
import { menuTemplate } from './menu-template.ts';

const labelsIn = async (spoken: Spoken, isMac: boolean): Promise<readonly (string | undefined)[]> => {
  const speech = await createHostSpeech(spoken);
  const template = menuTemplate(
    { appName: 'Desk', isMac, isDeveloper: true, onPage: () => {}, onAbout: () => {} },
    speech,
  );
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
