import { Badge, type BadgeProps, makeStyles } from '@fluentui/react-components';
import type { FluentIcon } from '@fluentui/react-icons';
import { oneLine } from './styles.ts';

const useStyles = makeStyles({
  // Without this alignment, badges with an icon and badges without one would be at different heights.
  badge: { maxWidth: '100%', verticalAlign: 'middle' },
  text: { minWidth: 0, ...oneLine },
});

export type TextBadgeProps = {
  /** A text of any length. It is cut off if it does not fit. */
  readonly text: string;
  /** The tooltip; default: the whole text. It takes precedence over the tooltip of an element around the badge. */
  readonly title?: string;
  readonly color: NonNullable<BadgeProps['color']>;
  readonly Icon?: FluentIcon | undefined;
  readonly size?: BadgeProps['size'];
};

export const TextBadge = ({ text, title = text, color, Icon, size = 'medium' }: TextBadgeProps) => {
  const styles = useStyles();
  return (
    <Badge
      className={styles.badge}
      appearance="tint"
      size={size}
      color={color}
      title={title}
      {...(Icon && { icon: <Icon aria-hidden="true" /> })}
    >
      <span className={styles.text}>{text}</span>
    </Badge>
  );
};
