import { Field, Input, makeStyles } from '@fluentui/react-components';
import { TimeOfDay } from '../../contract/hours.ts';

const useStyles = makeStyles({
  range: { display: 'flex', gap: '12px', maxWidth: '340px' },
  time: { flex: 1, minWidth: 0 },
});

type Range = { readonly from: string; readonly to: string };

type TimeRangeProps = Range & {
  /** The names of the two fields. */
  readonly labels: Range;
  readonly readOnly?: boolean;
  /** Called with a valid time only. */
  readonly onChange: (change: Partial<Range>) => void;
};

/** Two times of the day. */
export const TimeRange = ({ labels, readOnly = false, onChange, ...times }: TimeRangeProps) => {
  const styles = useStyles();
  return (
    <div className={styles.range}>
      {(['from', 'to'] as const).map((end) => (
        <Field key={end} className={styles.time} label={labels[end]}>
          <Input
            type="time"
            readOnly={readOnly}
            value={times[end]}
            onChange={(_, { value }) => {
              if (TimeOfDay.safeParse(value).success) onChange({ [end]: value });
            }}
          />
        </Field>
      ))}
    </div>
  );
};
