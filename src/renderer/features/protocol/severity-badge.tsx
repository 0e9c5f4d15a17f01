import { Badge, type BadgeProps, makeStyles } from '@fluentui/react-components';
import {
  CheckmarkCircle16Regular,
  ErrorCircle16Filled,
  type FluentIcon,
  Info16Regular,
  QuestionCircle16Regular,
  Warning16Filled,
} from '@fluentui/react-icons';
import { t } from '../../words/words.ts';
import { type Gravity, gravityOf } from './severity.ts';

const looks: Readonly<
  Record<Gravity, { readonly Icon: FluentIcon; readonly color: NonNullable<BadgeProps['color']> }>
> = {
  grave: { Icon: ErrorCircle16Filled, color: 'danger' },
  moderate: { Icon: Warning16Filled, color: 'warning' },
  slight: { Icon: Info16Regular, color: 'informative' },
  none: { Icon: CheckmarkCircle16Regular, color: 'success' },
  unknown: { Icon: QuestionCircle16Regular, color: 'informative' },
};

// Texts of the service can be of any length.
const useStyles = makeStyles({ badge: { maxWidth: '100%', overflow: 'hidden', whiteSpace: 'nowrap' } });

/** A severity as the service words it, with an icon of its own beside the colour. */
export const SeverityBadge = ({ severity }: { readonly severity: string }) => {
  const { Icon, color } = looks[gravityOf(severity)];
  return (
    <Badge
      className={useStyles().badge}
      appearance="tint"
      size="large"
      color={color}
      icon={<Icon aria-hidden="true" />}
    >
      {severity === '' ? t('protocol.noSeverity') : severity}
    </Badge>
  );
};
