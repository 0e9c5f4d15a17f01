import { Input, makeStyles, Select, Text, tokens } from '@fluentui/react-components';
import { TimeOfDay } from '../../../contract/hours.ts';
import { useManaged } from '../../domain/managed/managed.tsx';
import { useSnapshot } from '../../state/context.tsx';
import { t } from '../../words/words.ts';
import { type StartTime, startTimeOf } from './start-time.ts';

const useStyles = makeStyles({
  time: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  note: { color: tokens.colorNeutralForeground3 },
});

const KINDS = ['now', 'at', 'hours'] as const;

type StartTimeFieldProps = { readonly time: StartTime; readonly onChange: (time: StartTime) => void };

/** When the upload starts: now, at a time, or within hours. */
export const StartTimeField = ({ time, onChange }: StartTimeFieldProps) => {
  const styles = useStyles();
  const usual = useSnapshot(({ preferences }) => preferences.uploadHours);
  const isManaged = useManaged('uploads.hours');
  const choose = (value: string): void => {
    const kind = KINDS.find((one) => one === value);
    if (kind !== undefined) onChange(startTimeOf(kind, usual, Date.now()));
  };
  return (
    <div className={styles.time}>
      <Select aria-label={t('newUpload.when.label')} value={time.kind} onChange={(_, { value }) => choose(value)}>
        {KINDS.filter((kind) => !isManaged || kind !== 'hours').map((kind) => (
          <option key={kind} value={kind}>
            {t(`newUpload.when.${kind}`)}
          </option>
        ))}
      </Select>
      {time.kind === 'at' && (
        <Input
          type="datetime-local"
          aria-label={t('newUpload.when.moment')}
          value={time.at}
          onChange={(_, { value }) => onChange({ kind: 'at', at: value })}
        />
      )}
      {time.kind === 'hours' &&
        (['from', 'to'] as const).map((end) => (
          <Input
            key={end}
            type="time"
            aria-label={t(`newUpload.when.${end}`)}
            value={time.hours[0][end]}
            onChange={(_, { value }) => {
              const [first, ...others] = time.hours;
              if (TimeOfDay.safeParse(value).success)
                onChange({ kind: 'hours', hours: [{ ...first, [end]: value }, ...others] });
            }}
          />
        ))}
      {isManaged && (
        <Text size={200} className={styles.note}>
          {t('newUpload.when.managed')}
        </Text>
      )}
    </div>
  );
};
