/** The checksums by which a storage checks the content that it receives. */
import { createHash } from 'node:crypto';

const POLYNOMIAL = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/**
 * Returns the CRC32C (Castagnoli; RFC 3720 appendix B.4), which `node:zlib` lacks. `before`: the CRC32C of the bytes
 * before `chunk`.
 */
export const crc32c = (chunk: Uint8Array, before = 0): number => {
  let value = ~before;
  for (let at = 0; at < chunk.length; at += 1) value = (table[(value ^ (chunk[at] ?? 0)) & 0xff] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
};

/** A sum over content that arrives in chunks. */
export type Sum = { readonly update: (chunk: Uint8Array) => void; readonly digest: () => Buffer };

/** Creates a sum by one of the algorithms of OpenSSL. */
export const digest = (algorithm: 'md5' | 'sha1' | 'sha256'): Sum => {
  const hash = createHash(algorithm);
  return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest() };
};

/** Creates the sum of a cyclic redundancy check, as four bytes. */
export const cyclic = (next: (chunk: Uint8Array, before: number) => number): Sum => {
  let value = 0;
  return {
    update: (chunk) => {
      value = next(chunk, value);
    },
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
};

/** Whether `text` is `bytes` bytes in base64. */
export const isBase64Of = (text: string, bytes: number): boolean => {
  const content = Buffer.from(text, 'base64');
  return content.length === bytes && content.toString('base64') === text;
};
