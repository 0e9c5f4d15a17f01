import { Button, Tooltip } from '@fluentui/react-components';
import { ArrowClockwise20Regular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import type { ErrorData } from '../../contract/errors.ts';
import type { Reading } from '../../contract/resources.ts';
import type { Result } from '../queries/query.tsx';
import { useNow } from '../ui/hooks.ts';
import { Message } from '../ui/message.tsx';
import { Loading } from '../ui/page.tsx';
import { formatAge } from '../words/amounts.ts';
import { formatMoment } from '../words/dates.ts';
import { t } from '../words/words.ts';
import { Failure, FailureBar } from './errors.tsx';

/**
 * Returns the error of `states` if all of them failed with the same code and have nothing to show; otherwise undefined.
 * The caller can then show the error once instead of once for each reading.
 */
export const sharedError = (states: readonly Pick<Result<unknown>, 'value' | 'error'>[]): ErrorData | undefined => {
  const [first] = states;
  const isShared = states.every(({ value, error }) => value === undefined && error?.code === first?.error?.code);
  return isShared ? first?.error : undefined;
};

type CallResultProps<T> = Result<T> & {
  readonly loading: string;
  readonly lines?: number;
  readonly children: (value: T) => ReactNode;
};

export const CallResult = <T,>({ value, error, reload, loading, lines, children }: CallResultProps<T>) => {
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  return value === undefined ? <Loading label={loading} {...(lines && { lines })} /> : children(value);
};

type ReadingViewProps<T> = Result<Reading<T>> & {
  readonly loading: string;
  readonly children: (value: T, reading: Reading<T>) => ReactNode;
};

/**
 * Shows a reading. Until the reading is loaded, shows a placeholder, or why loading failed. Above a reading from the
 * offline data, shows its age. If a newer reading could not be loaded, shows why.
 */
export const ReadingView = <T,>({ value: reading, error, busy, reload, loading, children }: ReadingViewProps<T>) => {
  if (reading === undefined) {
    return error !== undefined && !busy ? <Failure error={error} onRetry={reload} /> : <Loading label={loading} />;
  }
  return (
    <>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      {!busy && <ReadingNotes reading={reading} />}
      {children(reading.value, reading)}
    </>
  );
};

export const ReadingNotes = ({ reading }: { readonly reading: Omit<Reading<unknown>, 'value'> }) => {
  const now = useNow(60_000);
  const { source, fetchedAtMs } = reading;
  return source === 'service' ? null : (
    <Message intent="info">
      {t('common.fromCache', { age: formatAge(fetchedAtMs, now), at: formatMoment(fetchedAtMs) })}
    </Message>
  );
};

export const RefreshButton = ({ busy, onClick }: { readonly busy: boolean; readonly onClick: () => void }) => (
  <Tooltip content={t('common.refresh')} relationship="label">
    <Button appearance="subtle" icon={<ArrowClockwise20Regular />} disabledFocusable={busy} onClick={() => onClick()} />
  </Tooltip>
);
