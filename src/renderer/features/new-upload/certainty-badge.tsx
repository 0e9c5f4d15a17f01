import {
  ArrowForward16Regular,
  CheckmarkCircle16Regular,
  DocumentTable16Regular,
  Person16Regular,
  Question16Regular,
  SubtractCircle16Regular,
} from '@fluentui/react-icons';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { type Certainty, certaintyName } from './row-words.ts';

const looks: Readonly<Record<Certainty, Pick<TextBadgeProps, 'color' | 'Icon'>>> = {
  certain: { color: 'success', Icon: CheckmarkCircle16Regular },
  likely: { color: 'warning', Icon: ArrowForward16Regular },
  unsure: { color: 'warning', Icon: Question16Regular },
  none: { color: 'danger', Icon: Question16Regular },
  person: { color: 'brand', Icon: Person16Regular },
  map: { color: 'brand', Icon: DocumentTable16Regular },
  leftOut: { color: 'informative', Icon: SubtractCircle16Regular },
};

type CertaintyBadgeProps = {
  readonly certainty: Certainty;
  /** Sentences for its tooltip. */
  readonly reasons?: readonly string[];
};

/** How certain an assignment is, in a word or two. */
export const CertaintyBadge = ({ certainty, reasons = [] }: CertaintyBadgeProps) => {
  const text = certaintyName(certainty);
  return <TextBadge text={text} title={[text, ...reasons].join('\n')} {...looks[certainty]} />;
};
