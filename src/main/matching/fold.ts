/** One spelling for what people write in several: case, accents, and the letters that are replaced where a keyboard lacks them. */

const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ð: 'd', þ: 'th', ł: 'l', đ: 'd', ı: 'i', ħ: 'h' },
};

/** UTF-8 that was read as Latin-1 on its way through an archive: `Ã¸` for `ø`. */
const mended = (text: string): string => {
  if (!/[ÃÂ][\u0080-\u00bf]/.test(text)) return text;
  const bytes = Uint8Array.from(text, (sign) => Math.min(sign.codePointAt(0) ?? 0, 0xff));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
};

/** Characters without a shape of their own. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** A name as it is read here: composed, and without what nobody sees, so that its positions are those that people see. */
export const asRead = (text: string): string =>
  isPlain(text) ? text : mended(text.normalize('NFC').replaceAll(UNSEEN, ''));

const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** `text` without case and accents: `Bjørnstads` and `BJORNSTADS` become the same. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}'’´`]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøðþłđıħ]/g, (letter) => LETTERS[letter] ?? letter);

/**
 * `text` as a key to compare by: in addition to `plain`, the pairs that stand for one letter (aa, ae, oe, ue) become that
 * letter, so that å, aa and a are the same, and so are ö, oe and o.
 */
export const folded = (text: string): string => plain(text).replace(/a[ae]|[ou]e/g, (pair) => pair[0] ?? pair);
