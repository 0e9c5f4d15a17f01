import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { readAuthorities } from './trust.ts';

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'trust-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

test('reads a file of authorities, and says why one cannot be used', async () => {
  const path = join(folder(), 'ca.pem');
  await expect(readAuthorities(path)).rejects.toMatchObject({ details: { path, reason: 'missing' } });
  writeFileSync(path, 'nothing');
  await expect(readAuthorities(path)).rejects.toMatchObject({ details: { path, reason: 'no-certificate' } });
  const text = rootCertificates.slice(0, 2).join('\n');
  writeFileSync(path, text);
  expect(await readAuthorities(path)).toBe(text);
});

test('B18: a file of authorities that is too large, a folder, a pipe or a device is refused at once', async () => {
  const root = folder();
  writeFileSync(join(root, 'large'), '');
  truncateSync(join(root, 'large'), 1e12);
  const paths = [join(root, 'large'), root];
  if (process.platform !== 'win32') {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    paths.push(join(root, 'pipe'), '/dev/zero');
  }
  for (const path of paths)
    await expect(readAuthorities(path)).rejects.toMatchObject({
      code: 'network/ca-file',
      details: { path, reason: 'unreadable' },
    });
});
