import { Badge, type BadgeProps, makeStyles } from '@fluentui/react-components';
import type { FluentIcon } from '@fluentui/react-icons';

const useStyles = makeStyles({
  // Else badges with and without an icon stand at different heights.
  badge: { maxWidth: '100%', verticalAlign: 'middle' },
  text: { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
});

export type TextBadgeProps = {
  /** Of any length: what finds no room is left out, and shown under the pointer. */
  readonly text: string;
  readonly color: NonNullable<BadgeProps['color']>;
  readonly Icon?: FluentIcon | undefined;
  readonly size?: BadgeProps['size'];
};

/** A state in a word or a few, with an icon of its own beside the colour. */
export const TextBadge = ({ text, color, Icon, size = 'medium' }: TextBadgeProps) => {
  const styles = useStyles();
  return (
    <Badge
      className={styles.badge}
      appearance="tint"
      size={size}
      color={color}
      title={text}
      {...(Icon && { icon: <Icon aria-hidden="true" /> })}
    >
      <span className={styles.text}>{text}</span>
    </Badge>
  );
};
