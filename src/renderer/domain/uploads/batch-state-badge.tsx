import {
  ArrowUpload16Regular,
  CheckmarkCircle16Filled,
  Clock16Regular,
  Pause16Filled,
  SubtractCircle16Regular,
  Warning16Filled,
} from '@fluentui/react-icons';
import { type Batch, type BatchState, isHeldBack } from '../../../contract/uploads.ts';
import { useSnapshot } from '../../state/context.tsx';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { t } from '../../words/words.ts';
import { waitOf } from './batch-wait.ts';
import { stateText } from './batch-words.ts';

type Look = Pick<TextBadgeProps, 'color' | 'Icon'>;

const looks: Readonly<Record<BatchState, Look>> = {
  scanning: { color: 'brand', Icon: ArrowUpload16Regular },
  running: { color: 'brand', Icon: ArrowUpload16Regular },
  paused: { color: 'warning', Icon: Pause16Filled },
  finished: { color: 'success', Icon: CheckmarkCircle16Filled },
  cancelled: { color: 'informative', Icon: SubtractCircle16Regular },
};

/** The state of a batch: a word with an icon, never a colour alone. */
export const BatchStateBadge = ({ batch }: { readonly batch: Batch }) => {
  const { state, failed } = batch;
  const waits = useSnapshot(({ reachability }) => waitOf(batch, reachability) !== undefined);
  if (waits) return <TextBadge text={t('uploads.state.waiting')} color="warning" Icon={Clock16Regular} size="large" />;
  if (isHeldBack(batch))
    return <TextBadge text={t('uploads.state.scheduled')} color="informative" Icon={Clock16Regular} size="large" />;
  const look =
    state === 'finished' && failed > 0 ? ({ color: 'danger', Icon: Warning16Filled } as const) : looks[state];
  return <TextBadge text={stateText(batch)} {...look} size="large" />;
};
