import { Badge, makeStyles } from '@fluentui/react-components';
import { Clock16Regular } from '@fluentui/react-icons';
import { t } from '../../words/words.ts';

// Else badges with and without an icon stand at different heights.
const useStyles = makeStyles({
  badge: { verticalAlign: 'middle', maxWidth: '100%', overflow: 'hidden', whiteSpace: 'nowrap' },
});

/** A status in words. PENDING is the one value the interface names; others are shown as they come. */
export const statusName = (status: string): string =>
  status === 'PENDING' ? t('assignment.pending') : status || t('assignment.noStatus');

/** An assignment's status. */
export const StatusBadge = ({ status }: { readonly status: string }) => {
  const { badge } = useStyles();
  return status === 'PENDING' ? (
    <Badge className={badge} appearance="tint" color="warning" icon={<Clock16Regular aria-hidden="true" />}>
      {statusName(status)}
    </Badge>
  ) : (
    <Badge className={badge} appearance="tint" color="informative">
      {statusName(status)}
    </Badge>
  );
};
