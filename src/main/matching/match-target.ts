/** An assignment to match with, and what is known of it once it has been read. */
import type { AssignmentSummary } from '../../contract/resources.ts';
import { COMPANY_FORMS } from './name-words.ts';
import { type TargetAddress, targetAddress } from './target-address.ts';
import { joined, wordsOf } from './tokens.ts';

/** An assignment, with what its protocol adds. `InspectionDate` and `StartTime`: seconds below 1e11, else milliseconds. */
export type MatchTarget = AssignmentSummary & {
  readonly InspectionProtocolId?: string;
  readonly ZipCode?: string;
  readonly InspectionDate?: number;
};

export type ReadTarget = {
  readonly target: MatchTarget;
  readonly address: TargetAddress | undefined;
  readonly city: string;
  readonly zip: string;
  readonly first: string;
  readonly last: string;
  /** The words of the performer's name that tell it from others. */
  readonly performer: readonly string[];
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
  const words = remember((text): readonly string[] => wordsOf(text).filter((one) => !COMPANY_FORMS.has(one)));
  const address = remember((text) => ({ address: targetAddress(text) }));
  return (target) => ({
    target,
    address: address(target.Address).address,
    city: word(target.City),
    zip: word(target.ZipCode ?? ''),
    first: word(target.FirstName),
    last: word(target.LastName),
    performer: words(target.Performer),
  });
};
