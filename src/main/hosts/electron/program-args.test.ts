import { expect, test } from 'vitest';
import { handlerArgs, programArgs, taskArgs } from './program-args.ts';

test('separates the arguments of the program from those of the runtime', () => {
  const own = ['--home', '/data', 'upload', '/photos'];
  expect(programArgs(['/opt/inspection-desk', ...own], true)).toEqual(own);
  expect(programArgs(['/electron', '/repository', ...own], false)).toEqual(own);
  expect(programArgs(['/electron', '--no-sandbox', '.', ...own], false)).toEqual(own);
  const launched = ['/opt/inspection-desk', '--log-level=3', '--ozone-platform=headless'];
  expect(programArgs([...launched, ...own], true)).toEqual(own);
  expect(programArgs(launched, true)).toEqual([]);
});

const packaged = { isPackaged: true, appPath: 'C:\\Program Files\\Inspection Desk\\resources\\app.asar' };
const unpackaged = { isPackaged: false, appPath: 'C:\\repository' };
const homeArgs = ['--home', 'C:\\data'];

test('A13: an address of the scheme stands behind the end of all options', () => {
  expect(handlerArgs(packaged, homeArgs)).toEqual(['--']);
  expect(handlerArgs(unpackaged, [])).toEqual(['C:\\repository', '--']);
  expect(handlerArgs(unpackaged, homeArgs)).toEqual(['C:\\repository', ...homeArgs, '--']);
});

test('tasks of the taskbar start the program on the same data directory', () => {
  expect(taskArgs(packaged, [])).toEqual([]);
  expect(taskArgs(packaged, homeArgs)).toEqual(homeArgs);
  expect(taskArgs(unpackaged, homeArgs)).toEqual(['C:\\repository', ...homeArgs]);
});
