/** How much of a name's end stays readable, its extension not counted. */
const endLength = 10;
/** Longer "extensions" are part of the name. */
const longestExtension = 9;
/** How many more characters the end may have, to begin with a whole word. */
const longestWordPart = 6;
/** What is no longer than this leaves nothing worth cutting. */
const shortest = 24;

/** Parts of text that a person sees as one character, such as a letter with its accent. */
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * A file's name or path in two: `start` may be cut off at its end, `end` (the extension and what stands before it, by which
 * files of one folder differ) may not. A short name has no `end`.
 */
export const splitName = (name: string): { readonly start: string; readonly end: string } => {
  if (name.length <= shortest) return { start: name, end: '' };
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= longestExtension ? name.length - dot : 0;
  const wanted = name.length - extension - endLength;
  const [wordPart = ''] = /[^\s/\\_-]*$/.exec(name.slice(0, wanted)) ?? [];
  const wordStart = wordPart.length > longestWordPart ? wanted : wanted - wordPart.length;
  // Never within a character.
  const at = characters.segment(name).containing(wordStart)?.index ?? name.length;
  return { start: name.slice(0, at), end: name.slice(at) };
};
