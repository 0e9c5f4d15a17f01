/** The kinds of street: the words, endings and abbreviations that say "road" in the languages of the service's countries. */
import { folded } from './fold.ts';

/** A kind, and how it is written as a word of its own. The first letters of a line are only its name here. */
const WORDS = `
veg: vei veien veg vegen väg vägen vej vejen v vn vg vag
gat: gate gata gaten gatan gade gaden g gt gtn gat gd gatu gada
str: strasse straße str straat strase
st: street st str
weg: weg wegen
rd: road rd
ave: avenue ave av aven avenida avda avenyn avenyen
ln: lane ln la
dr: drive dr drv
cl: close cl clo
sq: square sq
ct: court ct crt
ter: terrace terr ter terrasse terrassen
cres: crescent cres cresc cr
gdns: gardens gdns garden gdn
pl: place pl plass plassen plads pladsen platz plats platsen plein plaza piazza pza pzza plaça praça
way: way wy
walk: walk wlk
cir: circle cir
hwy: highway hwy
pkwy: parkway pkwy
trl: trail trl
row: row
hill: hill
mews: mews
grove: grove gr grv
green: green grn
park: park parken parkvej pk
view: view vw
rise: rise
yard: yard yd
court: court
parade: parade pde
quay: quay quai kai kaj kade kajen kaia
all: alle allé allee alléen allén al allée
torg: torg torget torv torvet tori
grend: grend grenda gränd gränden gr
stig: stig stigen sti stien stieg
bakke: bakke bakken backe backen bakk
kroken: krok kroken
svingen: sving svingen
tun: tun tunet
lokka: løkka lykkja
haug: haug haugen
lia: lia
bråten: bråten
dal: dal dalen
jordet: jordet
ring: ring ringen
katu: katu k kadun
tie: tie t tien
kuja: kuja kj
polku: polku
kaari: kaari
ranta: ranta
rinne: rinne
gasse: gasse g
damm: damm
ufer: ufer
markt: markt
hof: hof
laan: laan ln
gracht: gracht gr
singel: singel
dreef: dreef
rue: rue r
bd: boulevard bd bld blvd boul bvd bulevardi bulevarden
ch: chemin ch che
imp: impasse imp
via: via v
viale: viale vle
corso: corso cso
vicolo: vicolo vic
calle: calle c cl
paseo: paseo pso po
camino: camino cno
carrer: carrer c
rua: rua r
strada: strada
largo: largo
aleja: aleja al
passage: passage passagen
cours: cours
route: route rte
`;

/** Kinds that stand before the name: "Rue de la Gare", "Via Roma". */
const LEADING = new Set(
  'rue bd ch imp via viale corso vicolo calle paseo camino carrer rua strada largo aleja ave pl all quay passage cours route str'.split(
    ' ',
  ),
);

/** Kinds that end a longer word: "Kirkegata". A short abbreviation is a word's end only where nothing else fits. */
const ENDING = new Set(
  `veg gat str weg pl all torg grend stig bakke kroken svingen tun lokka haug lia bråten dal jordet ring katu tie kuja polku
  kaari ranta rinne gasse damm ufer markt hof laan gracht singel dreef park st rd ln`.split(/\s+/),
);

const kindsOfWord = new Map<string, ReadonlySet<string>>();
const endings = new Map<string, ReadonlySet<string>>();
for (const line of WORDS.trim().split('\n')) {
  const [kind = '', words = ''] = line.split(': ');
  for (const word of words.split(' ').map(folded)) {
    kindsOfWord.set(word, new Set([...(kindsOfWord.get(word) ?? []), kind]));
    if (ENDING.has(kind) && word.length >= 2 && word !== 'al' && word !== 'la' && word !== 'gr')
      // "str" may be a Straße or a street.
      endings.set(word, new Set(word === 'str' ? ['str', 'st'] : [...(endings.get(word) ?? []), kind]));
  }
}
const LONGEST_ENDING = Math.max(...[...endings.keys()].map(({ length }) => length));

const NO_KINDS: ReadonlySet<string> = new Set();

/** Words that are left out of a street's name where it has others. */
const FILLING = new Set(
  'de la le les du des d l the of den det der die dem van het ten ter el los las del di della da zum zur am an im ul ulica'
    .split(' ')
    .map(folded),
);

/** A street's name without its kind, and the kinds that its last (or first) word may mean; none where it names no kind. */
export type StreetName = { readonly stem: string; readonly kinds: ReadonlySet<string>; readonly full: string };

/** Words that are mostly abbreviated in front of a name. Each line is one word and its other forms. */
const ABBREVIATED = new Map(
  `
st saint sankt sint sainte
gl gml gamle gammel gamla
ndr nordre
nr nørre
sdr sndr søndre sønder
ll lla lille lilla
gt great
upr upper
lwr lower
gr große großer grote
kl kleine kleiner
n north
s south
e east
w west
`
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [short = '', ...words] = line.split(' ').map(folded);
      return words.map((word) => [word, short]);
    }),
);

const stemOf = (words: readonly string[]): string => {
  const telling = words.filter((word) => !FILLING.has(word));
  // Alone it is the name: "North Street".
  if (telling.length < 2) return (telling.length > 0 ? telling : words).join('');
  return telling.map((word) => ABBREVIATED.get(word) ?? word).join('');
};

/** Whether `word` only fills a name, such as "de" or "the". */
export const isFilling = (word: string): boolean => FILLING.has(word);

/** The kinds that `word` means if it stands alone. */
export const kindsOf = (word: string): ReadonlySet<string> => kindsOfWord.get(word) ?? NO_KINDS;

type Split = { readonly stem: string; readonly kinds: ReadonlySet<string>; readonly length: number };

/** The longest ending of `word` that is a kind, with what stands before it. */
const splitEnding = (word: string): Split | undefined => {
  for (let length = Math.min(LONGEST_ENDING, word.length - 2); length >= 2; length -= 1) {
    const kinds = endings.get(word.slice(-length));
    if (kinds !== undefined) return { stem: word.slice(0, -length), kinds, length };
  }
  return undefined;
};

/** Whether `word` ends in a kind of street, such as "kirkegata": then it is the name of a street, known or not. */
export const isStreetLike = (word: string): boolean => {
  const found = splitEnding(word);
  return found !== undefined && found.stem.length >= 3 && found.length >= 3;
};

/** The kind that `words` begin with, and how many of them say it; "V.le" and "P.za" are two words here. */
export const leadingKind = (
  words: readonly string[],
): { readonly length: number; readonly kinds: ReadonlySet<string> } => {
  for (const length of words.length > 2 ? [2, 1] : [1]) {
    const kinds = [...(kindsOfWord.get(words.slice(0, length).join('')) ?? [])].filter((kind) => LEADING.has(kind));
    if (kinds.length > 0) return { length, kinds: new Set(kinds) };
  }
  return { length: 0, kinds: NO_KINDS };
};

/** Takes a street's name apart. `words` are folded. */
export const streetNameOf = (words: readonly string[]): StreetName => {
  const full = words.join('');
  const last = words.at(-1) ?? '';
  if (words.length > 1) {
    const kinds = kindsOfWord.get(last);
    if (kinds !== undefined) return { stem: stemOf(words.slice(0, -1)), kinds, full };
    const { length, kinds: before } = leadingKind(words);
    if (length > 0) return { stem: stemOf(words.slice(length)), kinds: before, full };
  }
  const split = splitEnding(last);
  if (split !== undefined) return { stem: stemOf([...words.slice(0, -1), split.stem]), kinds: split.kinds, full };
  return { stem: stemOf(words), kinds: NO_KINDS, full };
};

/** A last letter that may be an abbreviated kind: "Elvev." and "Kirkeg.". */
export const abbreviatedEnding = (words: readonly string[]): StreetName | undefined => {
  const last = words.at(-1) ?? '';
  const kinds = last.length >= 4 && /[vgkt]$/.test(last) ? kindsOfWord.get(last.slice(-1)) : undefined;
  if (kinds === undefined) return undefined;
  return { stem: stemOf([...words.slice(0, -1), last.slice(0, -1)]), kinds, full: words.join('') };
};

/** Whether two names can be of the same kind; undefined if one of them does not say. */
export const sameKind = (one: StreetName, other: StreetName): boolean | undefined => {
  if (one.kinds.size === 0 || other.kinds.size === 0) return one.kinds.size === other.kinds.size ? true : undefined;
  return [...one.kinds].some((kind) => other.kinds.has(kind));
};
