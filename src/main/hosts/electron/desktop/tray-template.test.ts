import { describe, expect, it } from 'vitest';
import { Language } from '../../../../contract/preferences.ts';
import { createHostSpeech } from '../../../../words/speech/host-speech.ts';
import type { DesktopStatus } from './desktop-status.ts';
import { trayIcon, trayTemplate, trayText } from './tray-template.ts';

const idle: DesktopStatus = {
  ...{ active: [], scheduled: [], paused: [], stopped: [], waits: false, progress: undefined, watches: false },
};
const uploading: DesktopStatus = { ...idle, active: ['a', 'b'], progress: 0.459 };
const states: readonly (readonly [string, DesktopStatus, string, ReturnType<typeof trayIcon>])[] = [
  ['nothing', idle, 'No uploads in progress', 'idle'],
  ['watched folders', { ...idle, watches: true }, 'Watching folders', 'idle'],
  ['uploads', uploading, '2 uploads in progress, 45%', 'uploading'],
  ['an upload almost done', { ...idle, active: ['a'], progress: 0.999 }, '1 upload in progress, 99%', 'uploading'],
  ['a lost network', { ...uploading, waits: true }, '2 uploads waiting for the service', 'attention'],
  ['a paused upload', { ...idle, paused: ['a'], watches: true }, '1 upload paused', 'idle'],
  ['a stopped upload', { ...idle, stopped: ['a'], paused: ['b'] }, '1 upload needs attention', 'attention'],
  ['a later upload', { ...idle, scheduled: ['a'] }, '1 upload scheduled', 'idle'],
];

describe('the tray', () => {
  it.each(states)('says in a few words what goes on: %s', async (_, status, text, icon) => {
    expect(trayText(status, await createHostSpeech('en'))).toBe(text);
    expect(trayIcon(status)).toBe(icon);
  });

  it('offers what is possible now', async () => {
    const speech = await createHostSpeech('en');
    const actions = { onOpen: () => {}, onPause: () => {}, onResume: () => {}, onQuit: () => {} };
    const ids = (status: DesktopStatus) =>
      trayTemplate('Desk', status, actions, speech).flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(ids(idle)).toEqual(['open', 'quit']);
    expect(ids(uploading)).toEqual(['open', 'pause', 'quit']);
    expect(ids({ ...uploading, paused: ['c'] })).toEqual(['open', 'pause', 'resume', 'quit']);
  });

  it.each(Language.options)('has its words in %s', async (language) => {
    const speech = await createHostSpeech(language);
    const texts = states.map(([, status]) => trayText(status, speech));
    expect(new Set(texts).size).toBe(texts.length);
  });
});
