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

it('closes connections when requests go to ever more hosts', async () => {
  await using stack = new AsyncDisposableStack();
  const open = new Set<unknown>();
  const agent = createRenewableAgent(createApiAgent);
  stack.defer(agent.destroy);
  for (let host = 0; host < 100; host += 1) {
    const server = stack.use(
      await startTestServer((response) => {
        const { socket } = response;
        open.add(socket);
        socket?.once('close', () => open.delete(socket));
        response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=600' }).end();
        response.once('close', () => socket?.setTimeout(0));
      }),
    );
    await (await request(server.url, { dispatcher: agent.dispatcher })).body.dump();
  }
  await expect.poll(() => open.size).toBeLessThanOrEqual(64);
});
