import {
  CheckmarkCircle16Regular,
  ErrorCircle16Filled,
  Info16Regular,
  QuestionCircle16Regular,
  Warning16Filled,
} from '@fluentui/react-icons';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { type Gravity, gravityOf, severityName } from './severity.ts';

const looks: Readonly<Record<Gravity, Pick<TextBadgeProps, 'color' | 'Icon'>>> = {
  grave: { Icon: ErrorCircle16Filled, color: 'danger' },
  moderate: { Icon: Warning16Filled, color: 'warning' },
  slight: { Icon: Info16Regular, color: 'informative' },
  none: { Icon: CheckmarkCircle16Regular, color: 'success' },
  unknown: { Icon: QuestionCircle16Regular, color: 'informative' },
};

/** A severity, with an icon of its own beside the colour. */
export const SeverityBadge = ({ severity }: { readonly severity: string }) => (
  <TextBadge text={severityName(severity)} {...looks[gravityOf(severity)]} size="large" />
);
