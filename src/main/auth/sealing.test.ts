import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seal, unseal } from './sealing.ts';

const key = Buffer.alloc(32, 7);

test('opens what was sealed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.uint8Array({ minLength: 32, maxLength: 32 }), (text, bytes) => {
      expect(unseal(seal(text, Buffer.from(bytes), 'context'), Buffer.from(bytes), 'context')).toBe(text);
    }),
  );
});

test('does not open with one changed bit anywhere, or a missing end', () => {
  const sealed = seal('the tokens', key, 'context');
  for (let at = 0; at < sealed.length; at += 1) {
    const damaged = Buffer.from(sealed);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    expect(() => unseal(damaged, key, 'context')).toThrow();
    expect(() => unseal(sealed.subarray(0, at), key, 'context')).toThrow();
  }
});

test('does not open with another key or in another context', () => {
  const sealed = seal('the tokens', key, 'context');
  expect(() => unseal(sealed, Buffer.alloc(32, 8), 'context')).toThrow();
  expect(() => unseal(sealed, key, 'other')).toThrow();
});

test('sealing the same text twice gives different results', () => {
  expect(seal('the tokens', key, 'context')).not.toEqual(seal('the tokens', key, 'context'));
});
