/** Finds targets by the ids in names. */
import type { IdMention } from './evidence.ts';
import type { ReadTarget } from './match-target.ts';
import type { Segment } from './name-segment.ts';
import { inSteps, type Steps } from './steps.ts';
import { joined } from './tokens.ts';

/** The targets whose ids are in `segments`, by their positions. */
export type IdsIn = (segments: readonly Segment[]) => ReadonlyMap<number, readonly IdMention[]>;

const KINDS = ['assignment-id', 'protocol-id', 'facility-id'] as const;

/** One id of one target in one number, the position times the kinds plus the kind: objects for all ids take much memory. */
type Known = number;

/** Most texts belong to one id, which needs no list. */
type KnownBy = Map<string, Known | Known[]>;

const push = (lists: KnownBy, text: string, known: Known): void => {
  const before = lists.get(text);
  if (before === undefined) lists.set(text, known);
  else if (typeof before === 'number') lists.set(text, [before, known]);
  else before.push(known);
};

const listOf = (lists: KnownBy, text: string): readonly Known[] => {
  const known = lists.get(text);
  return typeof known === 'number' ? [known] : (known ?? []);
};

/** A shorter id could just as well be the number of a photo or a floor. */
const SHORTEST_ID = 6;

const GUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const GUID_START = 8;

const guidDigits = (guid: string): string => guid.replaceAll('-', '').toLowerCase();

/** Indexes the ids of `reads`. */
export function* indexIds(reads: readonly ReadTarget[]): Steps<IdsIn> {
  const guidStarts: KnownBy = new Map();
  const otherIds: KnownBy = new Map();
  const idNumbers: KnownBy = new Map();

  yield* inSteps(reads, (read, position) => {
    for (const [kind, id] of idsOf(read).entries()) {
      const known = position * KINDS.length + kind;
      if (GUID.test(id)) {
        push(guidStarts, guidDigits(id).slice(0, GUID_START), known);
        continue;
      }
      const text = joined(id);
      if (text.length >= SHORTEST_ID && /\d/.test(text)) push(otherIds, text, known);
      const number = /^\D+(\d{5,})$/.exec(text)?.[1];
      if (number !== undefined) push(idNumbers, number, known);
    }
  });
  const hasDigits = (known: Known, digits: string): boolean => {
    const read = reads[Math.floor(known / KINDS.length)];
    return read !== undefined && guidDigits(idsOf(read)[known % KINDS.length] ?? '') === digits;
  };

  return (segments) => {
    const found = new Map<number, IdMention[]>();
    segments.forEach((segment, depth) => {
      const add = (ids: readonly Known[], text: string, ending: '' | '-part'): void => {
        const span = segment.spanOf.get(text) ?? { from: 0, to: segment.tokens.length };
        for (const known of ids) {
          const position = Math.floor(known / KINDS.length);
          const kind = KINDS[known % KINDS.length];
          if (kind === undefined) continue;
          const mention = { feature: `${kind}${ending}`, segment, depth, span } as const;
          const before = found.get(position);
          if (before === undefined) found.set(position, [mention]);
          else before.push(mention);
        }
      };
      for (const guid of segment.guids) {
        const starting = listOf(guidStarts, guid.slice(0, GUID_START));
        add(
          starting.filter((known) => hasDigits(known, guid)),
          guid,
          '',
        );
      }
      for (const start of segment.guidStarts) add(listOf(guidStarts, start), start, '-part');
      for (const [text] of segment.spanOf) if (text.length >= SHORTEST_ID) add(listOf(otherIds, text), text, '');
      if (found.size > 0) return;
      for (const { text, isNumber } of segment.tokens)
        if (isNumber && text.length > 4) add(listOf(idNumbers, text), text, '-part');
    });
    return found;
  };
}

/** In the order of `KINDS`; empty where it has none. */
const idsOf = ({ target }: ReadTarget): readonly string[] => [
  target.AssignmentId,
  target.InspectionProtocolId ?? '',
  target.FacilityId,
];
