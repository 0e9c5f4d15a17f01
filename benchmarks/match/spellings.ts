/** Spellings as users write them: abbreviations, missing accents, typing mistakes. */
import type { Random } from '../../src/sandbox/sample/sample-data.ts';

const ABBREVIATIONS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/veien$/, ['vn', 'v.', 'vei', 'v', ' vei', 'vegen']],
  [/ vei$/, [' v.', ' v', 'vei', ' veg']],
  [/gata$/, ['gt', 'gt.', 'g.', ' gt', 'gate', 'gaten']],
  [/ gate$/, [' gt', ' gt.', ' g.', 'gate', ' gata']],
  [/gatan$/, ['g.', 'g', 'gat.', 'gatan']],
  [/vägen$/, ['v.', 'v', 'väg']],
  [/gade$/, ['g.', 'gd.', 'gade']],
  [/vej$/, ['v.', 'vej']],
  [/katu$/, ['k.', 'k', ' katu']],
  [/tie$/, ['t.', ' tie']],
  [/straße$/, ['str.', 'str', 'strasse', ' Str.', '-Straße']],
  [/str\.$/i, ['straße', 'strasse', 'str']],
  [/ Str\.$/, [' Straße', ' Strasse', ' str']],
  [/ Road$/, [' Rd', ' Rd.', ' rd', 'road']],
  [/ Street$/, [' St', ' St.', ' Str']],
  [/ Lane$/, [' Ln', ' Ln.']],
  [/ Avenue$/, [' Ave', ' Ave.', ' Av']],
  [/ Drive$/, [' Dr', ' Dr.']],
  [/ Close$/, [' Cl', ' Cl.']],
  [/ Square$/, [' Sq']],
  [/ Crescent$/, [' Cres']],
  [/ Gardens$/, [' Gdns']],
  [/ Terrace$/, [' Terr', ' Ter']],
  [/ allé$/, [' al.', ' alle']],
  [/straat$/, ['str.', 'str', ' straat']],
  [/^Rue /, ['R. ', 'rue ']],
  [/^Avenue /, ['Av. ', 'Ave ']],
  [/^Boulevard /, ['Bd ', 'Blvd ', 'Bld ']],
  [/^Viale /, ['V.le ']],
  [/^Piazza /, ['P.za ', 'Piazza ']],
];

/** Returns a shorter or another common form of `street`, or `street` itself if there is none. */
export const abbreviated = (random: Random, street: string): string => {
  const fitting = ABBREVIATIONS.filter(([pattern]) => pattern.test(street));
  if (fitting.length === 0) return street;
  const [pattern, forms] = random.pick(fitting);
  return street.replace(pattern, random.pick(forms));
};

const TO_ROMAN: Readonly<Record<string, string>> = { '1': 'I', '2': 'II', '3': 'III' };

/** Writes a flat's number in a common way. `unit`: the number as the service has it. */
export const flatWritten = (random: Random, unit: string): string => {
  const [, word = '', number = '', side = ''] = /^(lgh|Flat)? ?(\w+)(?:\. (\w+))?$/.exec(unit) ?? [];
  if (word === 'lgh') return random.pick([unit, unit, number, `lgh${number}`]);
  if (word === 'Flat') return random.pick([unit, unit, `flat${number}`, `Apt ${number}`]);
  if (side !== '')
    return random.pick([unit, `${number}${side}`, `${number} ${side}`, `${number}.${side}`, `${number}. sal ${side}`]);
  if (/^[A-C] \d+$/.test(unit)) return random.pick([unit, unit.replace(' ', ''), unit.toLowerCase()]);
  return random.pick([unit, unit, unit.toLowerCase(), TO_ROMAN[unit] ?? unit]);
};

const ASCII: Readonly<Record<string, readonly string[]>> = {
  å: ['a', 'aa'],
  ä: ['a', 'ae'],
  ö: ['o', 'oe'],
  ø: ['o', 'oe'],
  æ: ['ae'],
  ü: ['u', 'ue'],
  ß: ['ss'],
  é: ['e'],
  è: ['e'],
};

/** Replaces letters that a keyboard may lack, in the same way for the whole name. */
export const withoutAccents = (random: Random, text: string): string => {
  const way = random.integer(0, 1);
  return text.replace(/[åäöøæüßéè]/gi, (letter) => {
    const plain = ASCII[letter.toLowerCase()] ?? [letter];
    const chosen = plain[Math.min(way, plain.length - 1)] ?? letter;
    return letter === letter.toLowerCase() ? chosen : chosen[0]?.toUpperCase() + chosen.slice(1);
  });
};

const KEYS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const beside = (random: Random, letter: string): string => {
  const row = KEYS.find((keys) => keys.includes(letter)) ?? KEYS[0] ?? '';
  return row[Math.max(0, Math.min(row.length - 1, row.indexOf(letter) + random.pick([-1, 1])))] ?? letter;
};

/**
 * Makes one typing mistake at a random place after the first letter. Returns `text` itself if the place is not within a
 * word, or if `text` has fewer than five letters.
 */
export const mistyped = (random: Random, text: string): string => {
  const at = random.integer(1, Math.max(1, text.length - 2));
  const letter = text[at] ?? '';
  if (text.length < 5 || !/\p{L}/u.test(letter) || !/\p{L}/u.test(text[at + 1] ?? '')) return text;
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  switch (random.integer(0, 3)) {
    case 0:
      return before + after;
    case 1:
      return before + letter + letter + after;
    case 2:
      return before + beside(random, letter) + after;
    default:
      return before + (after[0] ?? '') + letter + after.slice(1);
  }
};
