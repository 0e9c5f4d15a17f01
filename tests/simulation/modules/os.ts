/** Replaces `node:os` with a machine that was started when the history began, and has one network. */
import { virtualTime } from '../virtual-time.ts';

export * from 'node:os';
export const uptime = (): number => virtualTime().now() / 1_000;
export const networkInterfaces = () => ({});
