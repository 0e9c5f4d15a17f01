/**
 * Paths that match patterns with `*` (within a name), `**` (any folders) and `?` (one character). All else stands for itself:
 * names of folders have brackets, braces and exclamation marks, which libraries of glob patterns read as more of a pattern. And
 * they compile expressions whose time grows exponentially with the stars; here it has a bound.
 */

/** Whether `pattern` has a character that stands for others. */
export const isGlob = (pattern: string): boolean => /[*?]/.test(pattern);

/** How much may still be done: about one for each character or name that is looked at. */
export type Work = { left: number };

/** A folder or file by its name. */
type Node = { readonly below: Map<string, Node>; readonly paths: number[] };

/**
 * The paths that a pattern matches, in their order; undefined once there is no work left. Each part of a pattern is looked up or
 * tested against the names at its place alone, and behind `**` at the start against each name once, however many folders have
 * it. `keyOf`: brings path and pattern to the same case and normal form.
 */
export const pathFinder = (paths: readonly string[], keyOf: (path: string) => string, work: Work) => {
  const root: Node = { below: new Map(), paths: [] };
  const named = new Map<string, Node[]>();
  for (const [index, path] of paths.entries()) {
    let node = root;
    for (const name of keyOf(path).split('/')) {
      let next = node.below.get(name);
      if (next === undefined) {
        next = { below: new Map(), paths: [] };
        node.below.set(name, next);
        const others = named.get(name);
        if (others) others.push(next);
        else named.set(name, [next]);
      }
      node = next;
    }
    node.paths.push(index);
  }
  return (pattern: string): readonly string[] | undefined => {
    const [first = '', ...rest] = partsOf(keyOf(pattern));
    let found = new Set([root]);
    if (first !== '**') rest.unshift(first);
    else found = new Set(namesLike(rest.shift() ?? '', named, work).flat());
    for (const part of rest) {
      if (work.left < 0) return undefined;
      found = part === '**' ? withAllBelow(found, work) : new Set(inEach(found, part, work).flat());
    }
    if (work.left < 0) return undefined;
    const indices = [...found].flatMap((node) => node.paths).sort((one, other) => one - other);
    work.left -= indices.length;
    return indices.map((index) => paths[index] ?? '');
  };
};

/** At the end `**` stands for at least one name; twice in a row it says the same. */
const partsOf = (pattern: string): readonly string[] => {
  const parts = pattern.split('/').filter((part, at, all) => part !== '**' || all[at - 1] !== '**');
  return parts.at(-1) === '**' ? [...parts, '*'] : parts;
};

const withAllBelow = (nodes: ReadonlySet<Node>, work: Work): Set<Node> => {
  const all = new Set(nodes);
  // A set is walked over to what is added meanwhile.
  for (const node of all) {
    for (const inner of node.below.values()) all.add(inner);
    work.left -= 4 + 4 * node.below.size;
    if (work.left < 0) break;
  }
  return all;
};

const inEach = (nodes: ReadonlySet<Node>, part: string, work: Work): readonly Node[][] =>
  [...nodes].map(({ below }) => namesLike(part, below, work));

/** What stands in `names` under names that `part` of a pattern matches. */
const namesLike = <T>(part: string, names: ReadonlyMap<string, T>, work: Work): T[] => {
  work.left -= 4;
  if (work.left < 0) return [];
  if (!isGlob(part)) {
    const one = names.get(part);
    return one === undefined ? [] : [one];
  }
  const matches = nameTest(part, work);
  const found: T[] = [];
  for (const [name, value] of names) if (matches(name)) found.push(value);
  return found;
};

/** The characters of `text`. Only where some take two places is a list of them needed. */
const charactersOf = (text: string): ArrayLike<string> => (/[\ud800-\udfff]/.test(text) ? [...text] : text);

/**
 * Tests names against one part of a pattern. After a mismatch only the last star is tried again, with one character more, so
 * the time grows with the product of both lengths at most.
 */
const nameTest = (part: string, work: Work): ((name: string) => boolean) => {
  const pattern = charactersOf(part.replace(/\*+/g, '*'));
  return (name) => {
    const text = charactersOf(name);
    let lastStar = -1;
    let taken = 0;
    let at = 0;
    for (let from = 0; from < text.length; ) {
      work.left -= 1;
      if (work.left < 0) return false;
      const wanted = pattern[at];
      if (wanted === '*') {
        lastStar = at;
        taken = from;
        at += 1;
      } else if (wanted !== undefined && (wanted === '?' || wanted === text[from])) {
        at += 1;
        from += 1;
      } else if (lastStar >= 0) {
        at = lastStar + 1;
        taken += 1;
        from = taken;
      } else return false;
    }
    while (pattern[at] === '*') at += 1;
    return at === pattern.length;
  };
};
