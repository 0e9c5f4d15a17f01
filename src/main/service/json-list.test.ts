import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJsonList } from './json-list.ts';

/** Returns the items and the frame of `text`, which is passed in parts of `size` bytes. */
const split = (text: string, { field, size = 7, maxPartBytes = 10_000 }: Given = {}) => {
  const items: string[] = [];
  const list = createJsonList({ field, onItem: (item) => items.push(item), maxPartBytes });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) list.take(bytes.subarray(at, at + size));
  return { items, frame: list.frame() };
};
type Given = { readonly field?: string; readonly size?: number; readonly maxPartBytes?: number };

test('parses any list like JSON.parse, wherever it is split', () => {
  const given = fc.tuple(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 1));
  fc.assert(
    fc.property(given, ([values, size, indent]) => {
      const { items, frame } = split(JSON.stringify(values, undefined, indent), { size });
      expect(items.map((item): unknown => JSON.parse(item))).toEqual(JSON.parse(JSON.stringify(values)));
      expect(JSON.parse(frame)).toEqual([]);
    }),
  );
});

test('finds where strings end, whatever they escape', () => {
  const text = fc.string({ unit: fc.constantFrom('\\', '"', ',', ']', 'ö', '→') });
  fc.assert(
    fc.property(fc.array(text), fc.integer({ min: 1, max: 5 }), (values, size) => {
      const { items } = split(JSON.stringify(values), { size });
      expect(items.map((item): unknown => JSON.parse(item))).toEqual(values);
    }),
  );
});

test('parses a list in a field, and the rest of the object, in the same way', () => {
  const around = fc.dictionary(
    fc.string().filter((name) => !['Items', '__proto__'].includes(name)),
    fc.jsonValue(),
  );
  const given = fc.tuple(around, fc.array(fc.jsonValue()), around, fc.integer({ min: 1, max: 40 }));
  fc.assert(
    fc.property(given, ([before, values, after, size]) => {
      const whole = { ...before, Items: values, ...after };
      const { items, frame } = split(JSON.stringify(whole), { field: 'Items', size });
      expect(items.map((item): unknown => JSON.parse(item))).toEqual(JSON.parse(JSON.stringify(values)));
      expect(JSON.parse(frame)).toEqual(JSON.parse(JSON.stringify({ ...whole, Items: [] })));
    }),
  );
});

test('recognises the field by its name, however it is escaped, and only at the top level', () => {
  expect(split('{"\\u0049tems":[1]}', { field: 'Items' }).items).toEqual(['1']);
  expect(split('{"a":{"Items":[1]},"b":"Items","c":[2],"Items":[3]}', { field: 'Items' }).items).toEqual(['3']);
});

test.each([
  '[1,]',
  '[,1]',
  '[1,,2]',
  '[1 2]',
  '[1',
  '[',
  '[1]]',
  '[1]2',
  '[{]}',
  '["a]',
  '{"Items":[1]',
  '{"Items":[1,]}',
  '{"Items":1 [2]}',
  '{"Items" "x":[1]}',
  ']',
  '',
])('%s is not taken for JSON', (text) => {
  const { items, frame } = split(text, text.startsWith('{') ? { field: 'Items' } : {});
  expect(() => [frame, ...items].map((part): unknown => JSON.parse(part))).toThrow(SyntaxError);
});

test('A10: does not collect an endless item, or endless text around the list', () => {
  const maxPartBytes = 100;
  for (const text of [`["${'x'.repeat(200)}`, `[${' '.repeat(200)}`, `{"a":"${'x'.repeat(200)}`, '['.repeat(200)]) {
    expect(() => split(text, { maxPartBytes })).toThrow(
      expect.objectContaining({ code: 'service/too-large', details: { maxPartBytes } }),
    );
  }
});
