/** `node:fs` on the disk of the history, as far as `uploads/source/paths.ts` uses it. */
import { present } from '../present.ts';

export * from 'node:fs';
export { default } from 'node:fs';
export const readlinkSync = (path: string): string => present().disk.pathOf(Number(path.split('/').at(-1)));
