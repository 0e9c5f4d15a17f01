import { request } from 'undici';
import { expect, it } from 'vitest';
import { createApiAgent, createRenewableAgent } from './connector.ts';
import { startTestServer } from './testing/server.ts';

it('uses new connections, and lets running requests finish', async () => {
  const held: (() => void)[] = [];
  await using server = await startTestServer((response, { target }) => {
    if (target === '/held') held.push(() => response.end('held'));
    else response.end('at once');
  });
  const agent = createRenewableAgent(createApiAgent);
  const get = async (path: string) =>
    (await request(`${server.url}${path}`, { dispatcher: agent.dispatcher })).body.text();

  const before = get('/held');
  await expect.poll(() => held.length).toBe(1);
  agent.renew();
  expect(await get('/')).toBe('at once');
  held[0]?.();
  expect(await before).toBe('held');
  await agent.destroy();
  await expect(get('/')).rejects.toThrow();
});
