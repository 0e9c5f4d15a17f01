import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openConfSettings } from '../../settings/conf-settings.ts';
import { openSettings } from '../../settings/settings.ts';
import type { SampleService } from '../host.ts';
import { createConnectionSwitch } from './connections.ts';

test('a sample service that starts while the app closes is closed, and not connected to', async () => {
  const home = mkdtempSync(join(tmpdir(), 'connections-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const starting = Promise.withResolvers<SampleService>();
  const settings = openSettings({ home, open: openConfSettings, policy: {} });
  const connections = createConnectionSwitch({
    host: { home, startSample: () => starting.promise },
    settings,
    present: { services: undefined },
  } as unknown as Parameters<typeof createConnectionSwitch>[0]);
  const using = connections.useSample();
  const closing = connections.close();
  let closed = 0;
  const address = { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', clientId: 'c', port: 1 };
  const close = async (): Promise<void> => {
    closed += 1;
  };
  starting.resolve({ ...address, ended: new Promise(() => {}), close });
  await expect(using).rejects.toMatchObject({ code: 'app/cancelled' });
  await closing;
  expect(closed).toBe(1);
  await expect(connections.useSample()).rejects.toMatchObject({ code: 'app/cancelled' });
  expect(settings.get().connection).toBeUndefined();
});
