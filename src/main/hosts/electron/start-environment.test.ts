import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { restoreExtraAuthorities } from './start-environment.ts';

const makeFile = (content: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'environ'), content);
  return join(folder, 'environ');
};

test('B23: the file of authorities that Electron takes out of the environment is found again', () => {
  const start = makeFile('PATH=/bin\0NODE_EXTRA_CA_CERTS=/office ca/a=b.pem\0HOME=/home/jo\0');
  const environment: NodeJS.ProcessEnv = {};
  restoreExtraAuthorities(environment, start);
  expect(environment).toEqual({ NODE_EXTRA_CA_CERTS: '/office ca/a=b.pem' });
  const given: NodeJS.ProcessEnv = { NODE_EXTRA_CA_CERTS: '/other.pem' };
  restoreExtraAuthorities(given, start);
  expect(given).toEqual({ NODE_EXTRA_CA_CERTS: '/other.pem' });
});

test('B23: a system that keeps no environment of the start, and one without the variable, change nothing', () => {
  for (const start of ['/no/such/file', makeFile('MY_NODE_EXTRA_CA_CERTS=/a.pem\0')]) {
    const environment: NodeJS.ProcessEnv = {};
    restoreExtraAuthorities(environment, start);
    expect(environment).toEqual({});
  }
});
