/**
 * How addresses are written in each country: by a service, and by office workers who name folders.
 *
 * Lists are written in one string, with `|` between entries. `kinds`: kinds of street in one place of the name; an entry is
 * `Full/same kind=abbreviation,abbreviation`. `directions` are pairs of opposites, `Full=abbreviation,abbreviation`.
 * Templates: `{s}` street, `{n}` number with its letter, `{1}` … parts of the flat. A `/` in a template of a folder's name
 * begins a folder below. The first template is the usual one.
 */
import { FITTED } from './fitted-countries.ts';
import { JUDGED } from './judged-countries.ts';

export type Place = 'after' | 'before' | 'glued';

/** A way to number flats. `read` finds its parts in the data; `invent` lists the values of each part. */
export type Flats = {
  readonly read: RegExp;
  readonly address: string;
  readonly names: string;
  readonly invent?: readonly string[];
  /** Only in streets with such a name. */
  readonly on?: RegExp;
};

export type Convention = {
  readonly kinds: readonly (readonly [Place, string])[];
  /** How often a name leaves the kind out, and how often the service abbreviates it. */
  readonly dropsKind?: number;
  readonly shortKind?: number;
  /** The kind of streets that the data has without one. */
  readonly usualKind?: string;
  /** Names that have no kind at all. */
  readonly kindless?: string;
  readonly directions?: string;
  /** Words in a street's name that may be left out, and those with an abbreviation. */
  readonly particles?: string;
  readonly titles?: string;
  readonly address: string;
  readonly names: string;
  readonly flats: readonly Flats[];
  /** Whether one part of a number such as 1510/48 is enough. */
  readonly hasTwoNumbers?: boolean;
  /** Letters that are replaced by two. */
  readonly letters?: string;
  /** Real towns, most of which are not in the data. */
  readonly towns: string;
  readonly first: string;
  readonly last: string;
  readonly performers: string;
  readonly words: string;
  readonly family: string;
  readonly jobs: string;
  /** D day, M month, Y year, y its last two digits. */
  readonly dates: string;
  readonly root: string;
};

export const CONVENTIONS: Readonly<Record<string, Convention>> = { ...FITTED, ...JUDGED };

/** Matching may be adjusted to the first half; the other one is only measured. */
export const HALVES = { fitted: Object.keys(FITTED), judged: Object.keys(JUDGED) };
