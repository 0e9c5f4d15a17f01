/**
 * How addresses are written in each country: by a service, and by office workers who name folders.
 *
 * A list is written in one string, with `|` between its entries. `kinds`: the kinds of street in one place of the name;
 * an entry is `Full/same kind=abbreviation,abbreviation`. `directions`: pairs of opposites,
 * `Full=abbreviation,abbreviation`. Templates contain `{s}` for the street, `{n}` for the number with its letter, and
 * `{1}` … for the parts of the flat. In a template of a folder's name, `/` begins a subfolder. The first template is
 * the most common one.
 */
import { FITTED } from './fitted-countries.ts';
import { JUDGED } from './judged-countries.ts';

export type Place = 'after' | 'before' | 'glued';

/**
 * A way to number flats. `read` matches a flat in the data, and its groups are the flat's parts; `invent` lists the
 * values of each part.
 */
export type Flats = {
  readonly read: RegExp;
  readonly address: string;
  readonly names: string;
  readonly invent?: readonly string[];
  /** The names of the streets that number flats in this way; absent: all. */
  readonly on?: RegExp;
};

export type Convention = {
  readonly kinds: readonly (readonly [Place, string])[];
  /** How often a name leaves out the kind of the street, and how often the service abbreviates it. */
  readonly dropsKind?: number;
  readonly shortKind?: number;
  /** The kind of a street whose name in the data contains no kind. */
  readonly usualKind?: string;
  /** Names that have no kind at all. */
  readonly kindless?: string;
  readonly directions?: string;
  /** Words in a street's name: `particles` may be left out, `titles` may be abbreviated. */
  readonly particles?: string;
  readonly titles?: string;
  readonly address: string;
  readonly names: string;
  readonly flats: readonly Flats[];
  /** Whether one part of a number such as 1510/48 identifies the house. */
  readonly hasTwoNumbers?: boolean;
  /** Letters that can be replaced by two letters. */
  readonly letters?: string;
  /** Real towns, most of which are not in the data. */
  readonly towns: string;
  readonly first: string;
  readonly last: string;
  readonly performers: string;
  readonly words: string;
  readonly family: string;
  readonly jobs: string;
  /** The forms of a date. D: day, M: month, Y: year, y: its last two digits. */
  readonly dates: string;
  readonly root: string;
};

export const CONVENTIONS: Readonly<Record<string, Convention>> = { ...FITTED, ...JUDGED };

/** Matching may be adjusted to the fitted countries. The judged ones are only measured. */
export const HALVES = { fitted: Object.keys(FITTED), judged: Object.keys(JUDGED) };
