import { expect, test } from 'vitest';
import { isPortal } from './portal.ts';

const html = 'text/html; charset=utf-8';
const page = '\uFEFF\n<!DOCTYPE html>\n<html>';

test.each([
  ['a page', 200, html, page, true],
  ['a page without a doctype', 200, html, '<HTML lang=en>', true],
  ['a request to sign in at the network', 511, undefined, '', true],
  ['an empty answer that is announced as HTML', 200, html, '', false],
  ['JSON that is announced as HTML', 200, html, '[]', false],
  ['XML', 200, 'application/xml', '<html></html>', false],
  ['HTML that is not announced', 200, undefined, page, false],
  ["a server's own error page", 500, html, page, false],
])('%s', (_, status, type, text, is) => {
  expect(isPortal({ status, headers: { 'content-type': type }, text })).toBe(is);
});
