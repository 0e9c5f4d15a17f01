import { describe, expect, test } from 'vitest';
import { DeskError } from '../../../../contract/errors.ts';
import { createHostSpeech } from '../../../../words/speech.ts';
import { createOutput, describeError, formatServiceTime, formatTable, Refusal } from './output.ts';

const english = await createHostSpeech('en');

const setUp = (json: boolean, terminal?: { readonly columns: number }) => {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text;
    },
    ...(terminal && { isTTY: true, ...terminal }),
  });
  return { output: createOutput(json, stream('stdout'), stream('stderr'), english), written };
};

describe('with --json', () => {
  test('standard output is JSON, one document a line; people’s text goes to standard error', () => {
    const { output, written } = setUp(true);
    output.result({ a: 1 }, () => 'words');
    output.event({ type: 'progress' });
    output.say('hello');
    expect(written).toEqual({ stdout: '{"a":1}\n{"type":"progress"}\n', stderr: 'hello\n' });
  });

  test('an error is an object, and a line for people', () => {
    const { output, written } = setUp(true);
    output.error(new DeskError('data/in-use', 'another process', { details: { path: '/home' } }));
    expect(JSON.parse(written.stdout)).toEqual({
      type: 'error',
      error: { code: 'data/in-use', message: 'another process', retry: 'never', details: { path: '/home' } },
    });
    expect(written.stderr).toMatch(/^error: .* \(data\/in-use\)\n$/);
  });
});

test('without --json, results are printed as text, and events are not printed', () => {
  const { output, written } = setUp(false);
  output.result({ a: 1 }, () => 'words');
  output.event({ type: 'progress' });
  output.status('progress');
  expect(written).toEqual({ stdout: 'words\n', stderr: '' });
});

test('on a terminal, the status overwrites itself and never wraps', () => {
  const { output, written } = setUp(false, { columns: 10 });
  output.status('a very long line');
  output.status('');
  expect(written.stderr).toBe('\r\u001b[Ka very lo\r\u001b[K');
});

test.each([
  [
    new Refusal('the value must be a number', (t) => t('help.usage.number')),
    'error: The value must be a number. (input/invalid)',
  ],
  [
    new DeskError('input/invalid', 'the assignment id is not a uuid', { details: { field: 'AssignmentId' } }),
    'error: The value for “Assignment ID” is not valid. Correct it and try again. (input/invalid)',
  ],
  [new TypeError('secret inside'), expect.stringMatching(/^error: (?!.*secret).*\(app\/bug\)$/)],
])('%s is printed on one line', (error, line) => {
  expect(describeError(error, english)).toEqual(line);
});

test('a table is as wide as its cells, aligns numbers to the right, and does not control the terminal', () => {
  const columns = [
    { title: 'Name', cell: ({ name }: { name: string; size: number }) => name },
    { title: 'Size', cell: ({ size }: { name: string; size: number }) => size },
  ];
  const rows = [
    { name: 'a\u001b[2Jb\nc', size: 5 },
    { name: 'x'.repeat(60), size: 12345 },
  ];
  expect(formatTable(rows, columns)).toEqual([
    `${'Name'.padEnd(48)}  Size`,
    `${'a�[2Jb c'.padEnd(48)}  ${'5'.padStart(5)}`,
    `${'x'.repeat(47)}…  12345`,
  ]);
});

test('columns meant for copying are never cut', () => {
  const columns = [{ title: 'Key', cell: (key: string) => key, whole: true }];
  expect(formatTable(['k'.repeat(200)], columns)).toEqual(['Key', 'k'.repeat(200)]);
});

test.each([
  ['Harbour Street 7', 16],
  ['Åkerö', 5],
  ['A\u030akero\u0308', 5],
  ['東京都港区', 10],
  ['ﾄｳｷｮｳ', 5],
  ['서울 3', 6],
  ['（株）', 6],
  ['🏠', 2],
  ['👩🏽 👍', 5],
  ['❤️', 2],
  ['', 0],
])('%s takes %i columns', (text, width) => {
  const columns = [
    { title: '', cell: () => text },
    { title: '|', cell: () => '' },
  ];
  expect(formatTable([0], columns)[0]).toBe(`${' '.repeat(width)}  |`);
});

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abcde…'],
  ['東京都港区', 6, '東京…'],
  ['👩🏽👩🏽', 3, '👩🏽…'],
])('cuts a text between two characters, to at most the given columns: %s', (text, width, cut) => {
  const before = '-'.repeat(48 - width);
  expect(formatTable([0], [{ title: '', cell: () => before + text }])[1]).toBe(before + cut);
});

test('columns of East Asian text line up with those of Latin text', () => {
  const columns = [
    { title: 'City', cell: ({ city }: { readonly city: string }) => city },
    { title: 'Points', cell: () => 3 },
  ];
  expect(formatTable([{ city: '東京' }, { city: 'Oslo' }], columns)).toEqual([
    'City  Points',
    '東京       3',
    'Oslo       3',
  ]);
});

test('a time of the service that no date can show is a dash', () => {
  expect([8.64e12 + 1, -1e20, 0].map((time) => formatServiceTime(time, 'seconds'))).toEqual(['–', '–', '–']);
  expect(formatServiceTime(1_700_000_000, 'auto')).toContain('2023');
});
