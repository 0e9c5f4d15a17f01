import { Clock16Regular } from '@fluentui/react-icons';
import { TextBadge } from '../../ui/text-badge.tsx';
import { t } from '../../words/words.ts';

/** A status in words. PENDING is the one value the interface names; others are shown as they come. */
export const statusName = (status: string): string =>
  status === 'PENDING' ? t('assignment.pending') : status || t('assignment.noStatus');

/** An assignment's status. */
export const StatusBadge = ({ status }: { readonly status: string }) =>
  status === 'PENDING' ? (
    <TextBadge text={statusName(status)} color="warning" Icon={Clock16Regular} />
  ) : (
    <TextBadge text={statusName(status)} color="informative" />
  );
