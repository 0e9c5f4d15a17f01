/** Kills a process that sends a file (block-sender.ts) several times, and counts the bytes on the line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../../src/main/net/urls.ts';
import type { SenderArguments } from './block-sender.ts';

/**
 * Sends the file of `sender`. Kills its process `kills` times, each time after another part of `sizeBytes` has crossed
 * the line. Resolves to the final state of the file, and to the number of all bytes that were sent to the storage,
 * headers included.
 */
export const sendWithKills = async (
  sender: SenderArguments,
  { sizeBytes, kills }: { readonly sizeBytes: number; readonly kills: number },
): Promise<{ readonly state: string; readonly kills: number; readonly sentBytes: number }> => {
  const storage = new URL(sender.Url);
  let sentBytes = 0;
  let onSent = (): void => {};
  const sockets = new Set<Socket>();
  const line = createServer((near) => {
    const far = connect(Number(storage.port), storage.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => [near, far].map((end) => sockets.delete(end) && end.destroy()));
    }
    near.on('data', (chunk) => {
      sentBytes += chunk.length;
      onSent();
    });
    near.pipe(far);
    far.pipe(near);
  });
  await once(line.listen(0, '127.0.0.1'), 'listening');
  const here = new URL(storage);
  here.port = String(portOf(line));
  const args = JSON.stringify({ ...sender, Url: here.href });
  const main = new URL('block-sender.ts', import.meta.url).pathname;
  try {
    for (let killed = 0; ; killed += 1) {
      const child = spawn(process.execPath, [main, args], { stdio: ['ignore', 'pipe', 'inherit'] });
      let state = '';
      child.stdout.on('data', (text) => {
        state += text;
      });
      onSent = () => {
        if (killed < kills && sentBytes >= ((killed + 1) * sizeBytes) / (kills + 1)) child.kill('SIGKILL');
      };
      const [, signal] = await once(child, 'close');
      if (signal !== 'SIGKILL') return { state, kills: killed, sentBytes };
    }
  } finally {
    for (const socket of sockets) socket.destroy();
    line.close();
  }
};
