import { Badge, type BadgeProps, makeStyles } from '@fluentui/react-components';
import type { FluentIcon } from '@fluentui/react-icons';

const useStyles = makeStyles({
  // Otherwise badges with and without an icon stand at different heights.
  badge: { maxWidth: '100%', verticalAlign: 'middle' },
  text: { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
});

export type TextBadgeProps = {
  /** Of any length: a long text is cut off, and its tooltip has all of it. */
  readonly text: string;
  readonly color: NonNullable<BadgeProps['color']>;
  readonly Icon?: FluentIcon | undefined;
  readonly size?: BadgeProps['size'];
};

/** A state in a few words, with an icon so that the colour is not the only sign. */
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
