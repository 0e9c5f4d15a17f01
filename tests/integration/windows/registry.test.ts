/** The registry of Windows. `reg query` writes in a code page that lacks many letters. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../support/folders.ts';
import { otherRuntime, program, seen } from '../support/runtime.ts';

test('texts of the registry are read exactly', async () => {
  const path = join(makeDirectory(), 'texts.json');
  const texts = ['C:\\Behörden på Öland\\ca.pem', '%ProgramData%\\"検査"\\ca.pem'];
  writeFileSync(path, JSON.stringify([...texts.map((text) => ['REG_SZ', text]), ['REG_EXPAND_SZ', texts[1]]]));
  const script = program('tests/integration/windows/read-registry.ts');
  const child = spawn(otherRuntime ?? process.execPath, [seen(script), seen(path)], { stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([...texts, texts[1]]);
});
