/** An assignment to match with, and what is known of it once it has been read. */
import type { AssignmentSummary, ProtocolSummary } from '../../contract/resources.ts';
import { type Day, dayOfTime } from './date-mentions.ts';
import { COMPANY_FORMS } from './name-words.ts';
import { type TargetAddress, targetAddress } from './target-address.ts';
import { foldedWords, joined } from './tokens.ts';

/** An assignment, with what its protocol adds. `InspectionDate` and `StartTime`: seconds below 1e11, else milliseconds. */
export type MatchTarget = AssignmentSummary & {
  readonly InspectionProtocolId?: string;
  readonly ZipCode?: string;
  readonly InspectionDate?: number;
};

/** A protocol whose assignments are not known: where they are, and nothing else. */
export type UnreadProtocol = Pick<
  ProtocolSummary,
  'InspectionProtocolId' | 'Address' | 'City' | 'ZipCode' | 'FacilityId'
>;

/** The place of an unread protocol, as if an assignment of it were known without anything that only assignments have. */
export const unreadTarget = (protocol: UnreadProtocol): MatchTarget => ({
  ...protocol,
  ...{ AssignmentId: '', AssignmentStatus: '', FirstName: '', LastName: '', Performer: '', StartTime: 0 },
});

export type ReadTarget = {
  readonly target: MatchTarget;
  readonly address: TargetAddress | undefined;
  readonly city: string;
  readonly zip: string;
  readonly first: string;
  readonly last: string;
  /** The day of its start, and of its protocol's inspection. */
  readonly days: readonly Day[];
  /** The performer's name in one word, without the form of the company; its first word alone, and all words. */
  readonly performer: string;
  readonly performerFirst: string;
  readonly performerWhole: string;
};

/** Reads one target; `read` remembers texts that many targets share. */
export const createTargetReader = (): ((target: MatchTarget) => ReadTarget) => {
  const remember = <Value>(make: (text: string) => Value): ((text: string) => Value) => {
    const known = new Map<string, Value>();
    return (text) => {
      const value = known.get(text) ?? make(text);
      known.set(text, value);
      return value;
    };
  };
  const word = remember(joined);
  const performerWords = remember((text) => foldedWords(text).filter((one) => !COMPANY_FORMS.has(one)));
  const address = remember((text) => ({ address: targetAddress(text) }));
  return (target) => ({
    target,
    address: address(target.Address).address,
    city: word(target.City),
    zip: word(target.ZipCode ?? ''),
    first: word(target.FirstName),
    last: word(target.LastName),
    days: [target.StartTime, target.InspectionDate ?? 0].flatMap((time) => dayOfTime(time) ?? []),
    performer: performerWords(target.Performer).join(''),
    performerWhole: word(target.Performer),
    performerFirst: performerWords(target.Performer)[0] ?? '',
  });
};
