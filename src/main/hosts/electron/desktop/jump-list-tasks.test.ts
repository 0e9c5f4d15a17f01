import { describe, expect, it } from 'vitest';
import { Language } from '../../../../contract/preferences.ts';
import { createHostSpeech } from '../../../../words/speech/host-speech.ts';
import { jumpListTasks, quoted } from './jump-list-tasks.ts';

const program = 'C:\\Program Files\\Inspection Desk\\Inspection Desk.exe';
const idle = { active: [], paused: [] };

describe('the tasks of the taskbar', () => {
  it('are what is possible now', async () => {
    const speech = await createHostSpeech('en');
    const titles = (status: { readonly active: readonly string[]; readonly paused: readonly string[] }) =>
      jumpListTasks({ program, args: [] }, status, speech).map(({ title }) => title);
    expect(titles(idle)).toEqual(['New Upload']);
    expect(titles({ active: ['a'], paused: [] })).toEqual(['New Upload', 'Pause Uploads']);
    expect(titles({ active: ['a'], paused: ['b'] })).toEqual(['New Upload', 'Pause Uploads', 'Resume Uploads']);
  });

  it('start the program on the same data, with its icon', async () => {
    const args = ['--home', 'C:\\Data of Jens\\'];
    const [first] = jumpListTasks({ program, args }, idle, await createHostSpeech('en'));
    expect(first).toMatchObject({
      program,
      arguments: '--home "C:\\Data of Jens\\\\" --task=new-upload',
      iconPath: program,
      iconIndex: 0,
    });
  });

  it.each(Language.options)('have their words in %s', async (language) => {
    const speech = await createHostSpeech(language);
    const tasks = jumpListTasks({ program, args: [] }, { active: ['a'], paused: ['b'] }, speech);
    expect(new Set(tasks.map(({ title }) => title)).size).toBe(3);
  });
});

it.each([
  ['plain', 'plain'],
  ['C:\\plain\\', 'C:\\plain\\'],
  ['', '""'],
  ['two words', '"two words"'],
  ['ends in a backslash\\', '"ends in a backslash\\\\"'],
  ['a "quoted" word', '"a \\"quoted\\" word"'],
  ['before a mark \\"', '"before a mark \\\\\\""'],
])('an argument is quoted as programs of Windows read it: %s', (argument, line) => expect(quoted(argument)).toBe(line));
