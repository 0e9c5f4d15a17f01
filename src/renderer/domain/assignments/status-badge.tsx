import { Clock16Regular } from '@fluentui/react-icons';
import { TextBadge } from '../../ui/text-badge.tsx';
import { t } from '../../words/words.ts';
import { codeWords } from '../code-words.ts';

/** A status in the service's own words. */
export const statusName = (status: string): string => codeWords(status) || t('assignment.noStatus');

/** The status of an assignment. PENDING is the only value that the interface names. */
export const StatusBadge = ({ status }: { readonly status: string }) =>
  status === 'PENDING' ? (
    <TextBadge text={statusName(status)} color="warning" Icon={Clock16Regular} />
  ) : (
    <TextBadge text={statusName(status)} color="informative" />
  );
