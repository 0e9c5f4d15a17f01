/** Replaces `node:os` with a machine that was started when the history began, and whose networks never change. */
import { virtualTime } from '../virtual-time.ts';

export * from 'node:os';
export const uptime = (): number => virtualTime().now() / 1_000;
export const networkInterfaces = () => ({});
