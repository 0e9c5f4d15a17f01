/** What a scope can be: words of visible ASCII but `"` and `\\`, with one space between (RFC 6749 section 3.3). */
export const isScope = (text: string): boolean =>
  text.length <= 2000 && text.split(' ').every((word) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word));
