import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openConfSettings } from '../../settings/conf-settings.ts';
import { openSettings } from '../../settings/settings.ts';
import { createDispatchers } from './dispatchers.ts';

test('a service that signs each file for another host does not fill the log with routes', async () => {
  const home = mkdtempSync(join(tmpdir(), 'dispatchers-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const logged: string[] = [];
  const { routing, destroy } = createDispatchers({
    host: { environment: {}, keychain: undefined, resolveProxy: undefined },
    settings: openSettings({ home, open: openConfSettings, policy: {} }),
    state: { emit: () => {} },
    log: { write: (event: string) => void logged.push(event) },
  } as unknown as Parameters<typeof createDispatchers>[0]);
  onTestFinished(destroy);
  for (let no = 0; no < 1_000; no += 1) await routing.routeOf(`https://storage-${no}.example`);
  expect(logged).toHaveLength(64);
});
