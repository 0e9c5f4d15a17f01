import { expect, test } from 'vitest';
import { programArgs } from './program-args.ts';

test('separates the arguments of the program from those of the runtime', () => {
  const own = ['--home', '/data', 'upload', '/photos'];
  expect(programArgs(['/opt/inspection-desk', ...own], true)).toEqual(own);
  expect(programArgs(['/electron', '/repository', ...own], false)).toEqual(own);
  expect(programArgs(['/electron', '--no-sandbox', '.', ...own], false)).toEqual(own);
});
