import {
  CheckmarkCircle16Regular,
  ErrorCircle16Filled,
  Info16Regular,
  QuestionCircle16Regular,
  Warning16Filled,
} from '@fluentui/react-icons';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { type SeverityLevel, severityLevel, severityName } from './severity.ts';

const looks: Readonly<Record<SeverityLevel, Pick<TextBadgeProps, 'color' | 'Icon'>>> = {
  high: { Icon: ErrorCircle16Filled, color: 'danger' },
  medium: { Icon: Warning16Filled, color: 'warning' },
  low: { Icon: Info16Regular, color: 'informative' },
  none: { Icon: CheckmarkCircle16Regular, color: 'success' },
  unknown: { Icon: QuestionCircle16Regular, color: 'informative' },
};

/** A severity with an icon, so that the colour is not the only sign. */
export const SeverityBadge = ({ severity }: { readonly severity: string }) => (
  <TextBadge text={severityName(severity)} {...looks[severityLevel(severity)]} size="large" />
);
