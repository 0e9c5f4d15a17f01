import { Badge, makeStyles } from '@fluentui/react-components';
import { Clock16Regular } from '@fluentui/react-icons';

// Else badges with and without an icon stand at different heights.
const useStyles = makeStyles({ badge: { verticalAlign: 'middle' } });

/** An assignment's status. PENDING is the one value the interface names; others are shown as they come. */
export const StatusBadge = ({ status }: { readonly status: string }) => {
  const { badge } = useStyles();
  return status === 'PENDING' ? (
    <Badge className={badge} appearance="tint" color="warning" icon={<Clock16Regular aria-hidden="true" />}>
      Pending
    </Badge>
  ) : (
    <Badge className={badge} appearance="tint" color="informative">
      {status === '' ? 'No status' : status}
    </Badge>
  );
};
