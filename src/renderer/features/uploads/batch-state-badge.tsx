import { Badge } from '@fluentui/react-components';
import {
  ArrowUpload16Regular,
  CheckmarkCircle16Filled,
  Pause16Filled,
  SubtractCircle16Regular,
  Warning16Filled,
} from '@fluentui/react-icons';
import type { Batch } from '../../../contract/models.ts';
import { t } from '../../words/words.ts';
import { stateNames } from './batch-words.ts';

/** A batch's state: a word with an icon, never a colour alone. */
export const BatchStateBadge = ({ batch }: { readonly batch: Batch }) => {
  const { state, failed } = batch;
  if (state === 'finished') {
    return failed > 0 ? (
      <Badge appearance="tint" size="large" color="danger" icon={<Warning16Filled aria-hidden="true" />}>
        {t('uploads.state.finishedWithFailures')}
      </Badge>
    ) : (
      <Badge appearance="tint" size="large" color="success" icon={<CheckmarkCircle16Filled aria-hidden="true" />}>
        {stateNames.finished}
      </Badge>
    );
  }
  const icons = {
    scanning: <ArrowUpload16Regular aria-hidden="true" />,
    running: <ArrowUpload16Regular aria-hidden="true" />,
    paused: <Pause16Filled aria-hidden="true" />,
    cancelled: <SubtractCircle16Regular aria-hidden="true" />,
  };
  const color = state === 'paused' ? 'warning' : state === 'cancelled' ? 'informative' : 'brand';
  return (
    <Badge appearance="tint" size="large" color={color} icon={icons[state]}>
      {stateNames[state]}
    </Badge>
  );
};
