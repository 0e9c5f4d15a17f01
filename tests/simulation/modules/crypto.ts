/** Replaces `node:crypto`: the history determines random ids and bytes. */
import { present } from '../present.ts';

export * from 'node:crypto';
export const randomBytes = (length: number): Buffer => {
  const { random } = present();
  return Buffer.from(Array.from({ length }, () => random.uint32() & 0xff));
};
export const randomUUID = (): string => {
  const { random } = present();
  const hex = Array.from({ length: 4 }, () => random.uint32().toString(16).padStart(8, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
};
