import { expect, test } from 'vitest';
import { createHostSpeech } from '../../../words/speech/host-speech.ts';
import { contextTemplate } from './context-template.ts';

const english = await createHostSpeech('en');
const editFlags = {
  ...{ canUndo: false, canRedo: false, canCut: true, canCopy: true, canPaste: true, canSelectAll: true },
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
