import {
  Field,
  MenuButton,
  makeStyles,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  Select,
  Switch,
  Text,
  tokens,
} from '@fluentui/react-components';
import { AutomaticReceipt } from '../../../contract/uploads.ts';
import { DateField } from '../../domain/date-field.tsx';
import { useManaged } from '../../domain/managed/managed.tsx';
import { TimeRange } from '../../domain/time-range.tsx';
import { useSnapshot } from '../../state/context.tsx';
import { t } from '../../words/words.ts';
import { startText } from './start-text.ts';
import { type StartTime, startTimeOf } from './start-time.ts';

const useStyles = makeStyles({
  fields: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, width: 'min(300px, 80vw)' },
  note: { color: tokens.colorNeutralForeground3 },
});

const KINDS = ['now', 'at', 'hours'] as const;

type StartOptionsProps = {
  readonly time: StartTime;
  readonly onTime: (time: StartTime) => void;
  readonly receipt: AutomaticReceipt;
  readonly onReceipt: (receipt: AutomaticReceipt) => void;
  /** Whether files that are added or changed after the review are uploaded, too. */
  readonly takesLater: boolean;
  readonly onTakesLater: (takesLater: boolean) => void;
};

/** When the upload starts, the receipt that it ends with, and what belongs to it: in words, and to choose. */
export const StartOptions = ({ time, onTime, receipt, onReceipt, takesLater, onTakesLater }: StartOptionsProps) => {
  const styles = useStyles();
  const usual = useSnapshot(({ preferences }) => preferences.uploadHours);
  const isManaged = useManaged('uploads.hours');
  const choose = (value: string): void => {
    const kind = KINDS.find((one) => one === value);
    if (kind !== undefined) onTime(startTimeOf(kind, usual, Date.now()));
  };
  return (
    <Popover trapFocus>
      <PopoverTrigger disableButtonEnhancement>
        <MenuButton>{startText(time, receipt, isManaged)}</MenuButton>
      </PopoverTrigger>
      <PopoverSurface className={styles.fields} aria-label={t('newUpload.when.options')}>
        <Field label={t('newUpload.when.label')}>
          <Select value={time.kind} onChange={(_, { value }) => choose(value)}>
            {KINDS.filter((kind) => !isManaged || kind !== 'hours').map((kind) => (
              <option key={kind} value={kind}>
                {t(`newUpload.when.${kind}`)}
              </option>
            ))}
          </Select>
        </Field>
        {time.kind === 'at' && (
          <DateField
            label={t('newUpload.when.moment')}
            withTime
            value={time.at}
            onChange={(at) => onTime({ kind: 'at', at })}
          />
        )}
        {time.kind === 'hours' && (
          <TimeRange
            from={time.hours[0].from}
            to={time.hours[0].to}
            labels={{ from: t('newUpload.when.from'), to: t('newUpload.when.to') }}
            onChange={(change) => {
              const [first, ...others] = time.hours;
              onTime({ kind: 'hours', hours: [{ ...first, ...change }, ...others] });
            }}
          />
        )}
        {isManaged && (
          <Text size={200} className={styles.note}>
            {t('newUpload.when.managed')}
          </Text>
        )}
        <Field label={t('settings.receipt')} hint={t('settings.receiptHint')}>
          <Select value={receipt} onChange={(_, { value }) => onReceipt(AutomaticReceipt.parse(value))}>
            {AutomaticReceipt.options.map((value) => (
              <option key={value} value={value}>
                {value === 'none' ? t('settings.receiptNone') : t(`uploads.receipt.format.${value}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Field hint={t('newUpload.when.laterHint')}>
          <Switch
            label={t('newUpload.when.later')}
            checked={takesLater}
            onChange={(_, { checked }) => onTakesLater(checked)}
          />
        </Field>
      </PopoverSurface>
    </Popover>
  );
};
