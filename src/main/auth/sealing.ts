/** Authenticated encryption of a small text: AES-256-GCM, with a new nonce every time. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export const keyBytes = 32;

const version = Buffer.of(1);
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = version.length + nonceBytes + tagBytes;

/**
 * `text` sealed with the 32-byte `key`: version (1 byte), nonce (12), tag (16), ciphertext. `context` is
 * authenticated but not included: opening requires the same context.
 */
export const seal = (text: string, key: Buffer, context: string): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.concat([version, Buffer.from(context)]));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([version, nonce, cipher.getAuthTag(), sealed]);
};

/** The text of `sealed`. @throws Error if it is damaged, or of another version, key or context */
export const unseal = (sealed: Buffer, key: Buffer, context: string): string => {
  if (sealed.length < headBytes || sealed[0] !== version[0]) throw new Error('not a sealed text of this version');
  const nonce = sealed.subarray(version.length, version.length + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.concat([version, Buffer.from(context)]));
  decipher.setAuthTag(sealed.subarray(headBytes - tagBytes, headBytes));
  return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]).toString('utf8');
};
