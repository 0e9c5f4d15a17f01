import {
  ArrowCircleDown16Regular,
  ArrowCircleUp16Filled,
  CheckmarkCircle16Regular,
  ErrorCircle16Filled,
  Info16Regular,
  Tag16Regular,
  Warning16Filled,
} from '@fluentui/react-icons';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { type SeverityLevel, severityLevel, severityName } from './severity.ts';

/** An icon of its own for each level, so that none is told by its colour alone. */
export const severityLooks: Readonly<Record<SeverityLevel, Required<Pick<TextBadgeProps, 'color' | 'Icon'>>>> = {
  critical: { Icon: ErrorCircle16Filled, color: 'danger' },
  high: { Icon: ArrowCircleUp16Filled, color: 'severe' },
  medium: { Icon: Warning16Filled, color: 'warning' },
  unknown: { Icon: Tag16Regular, color: 'informative' },
  low: { Icon: ArrowCircleDown16Regular, color: 'informative' },
  info: { Icon: Info16Regular, color: 'informative' },
  none: { Icon: CheckmarkCircle16Regular, color: 'success' },
};

/** A severity in the service's words. */
export const SeverityBadge = ({ severity }: { readonly severity: string }) => (
  <TextBadge text={severityName(severity)} {...severityLooks[severityLevel(severity)]} size="large" />
);
