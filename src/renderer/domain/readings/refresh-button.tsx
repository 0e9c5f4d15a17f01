import { Button, Tooltip } from '@fluentui/react-components';
import { ArrowClockwise20Regular } from '@fluentui/react-icons';
import { t } from '../../words/words.ts';

type RefreshButtonProps = { readonly busy: boolean; readonly onClick: () => void };

/** Asks the service again for the data of a page. */
export const RefreshButton = ({ busy, onClick }: RefreshButtonProps) => (
  <Tooltip content={t('common.refresh')} relationship="label">
    <Button appearance="subtle" icon={<ArrowClockwise20Regular />} disabledFocusable={busy} onClick={() => onClick()} />
  </Tooltip>
);
