import {
  Button,
  Field,
  type FieldProps,
  Input,
  makeStyles,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  tokens,
} from '@fluentui/react-components';
import { CalendarLtr20Regular } from '@fluentui/react-icons';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { TimeOfDay } from '../../contract/hours.ts';
import { lazily } from '../ui/lazy.tsx';
import { type Days, toInputValue } from '../words/dates.ts';
import { MORNING, typedPattern, typedText, typedValue } from '../words/typed-dates.ts';
import { t } from '../words/words.ts';

const Calendar = lazily(async () => (await import('./date-calendar.tsx')).DateCalendar);

const useStyles = makeStyles({
  field: { minWidth: 0, gridTemplateColumns: 'minmax(0, 1fr)' },
  row: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  input: { minWidth: 0, width: '172px', maxWidth: '100%' },
  withTime: { minWidth: 0, width: '220px', maxWidth: '100%' },
  surface: {
    boxSizing: 'border-box',
    minWidth: '236px',
    minHeight: 'min(270px, 50vh)',
    maxWidth: '100vw',
    maxHeight: '100vh',
    padding: tokens.spacingHorizontalS,
    overflow: 'auto',
  },
  range: { display: 'flex', gap: '12px', maxWidth: '340px' },
  time: { flex: 1, minWidth: 0 },
});

const invalidText = (withTime: boolean): string => {
  const now = toInputValue(Date.now());
  return withTime
    ? t('common.date.invalidTime', { example: typedText(now) })
    : t('common.date.invalid', { example: typedText(now.slice(0, 10)) });
};

type DateFieldProps = {
  readonly label: string;
  /** A day such as "2026-03-01" or, with a time, "2026-03-01T18:00"; empty for none. */
  readonly value: string;
  readonly withTime?: boolean;
  readonly size?: FieldProps['size'] | undefined;
  readonly message?: string | undefined;
  readonly actions?: ReactNode;
  /** Called with the new value; empty if the text is not a date. */
  readonly onChange: (value: string) => void;
};

/** A field for a date, which the user types in the chosen format or picks from a calendar. Alt+↓ opens the calendar. */
export const DateField = (props: DateFieldProps) => {
  const { label, value, withTime = false, size = 'medium', message, actions, onChange } = props;
  const styles = useStyles();
  /** The typed text. Once the field is left, a valid date is shown in the chosen format instead. */
  const [typed, setTyped] = useState<string>();
  const [isLeft, setLeft] = useState(false);
  const [isOpen, setOpen] = useState(false);
  // Whether `value` still results from the typed text. `value` can also be changed in another way, for example by a
  // button that clears the filters.
  const isKept = typed !== undefined && (typedValue(typed, withTime) ?? '') === value;
  const text = isKept ? typed : typedText(value);
  const isNoDate = isKept && value === '' && text.trim() !== '';
  const wrong = isNoDate && (isLeft || message !== undefined) ? invalidText(withTime) : message;
  const type = (next: string): void => {
    setTyped(next);
    setLeft(false);
    onChange(typedValue(next, withTime) ?? '');
  };
  const leave = (): void => {
    setLeft(true);
    if (value !== '') setTyped(undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') setLeft(true);
    if (event.key !== 'ArrowDown' || !event.altKey) return;
    event.preventDefault();
    setOpen(true);
  };
  const choose = (day: string): void => {
    setTyped(undefined);
    setOpen(false);
    onChange(withTime ? `${day}T${value.slice(11) || MORNING}` : day);
  };
  const calendar = (
    <Popover
      trapFocus
      open={isOpen}
      onOpenChange={(_, { open }) => setOpen(open)}
      positioning={{ position: 'below', align: 'end', autoSize: 'height' }}
    >
      <PopoverTrigger disableButtonEnhancement>
        <Button
          appearance="transparent"
          size="small"
          icon={<CalendarLtr20Regular />}
          aria-label={t('common.date.choose')}
          title={t('common.date.choose')}
        />
      </PopoverTrigger>
      <PopoverSurface className={styles.surface} aria-label={label}>
        <Calendar day={value.slice(0, 10)} onChoose={choose} onDismiss={() => setOpen(false)} />
      </PopoverSurface>
    </Popover>
  );
  return (
    <Field
      className={styles.field}
      label={label}
      size={size}
      {...(wrong !== undefined && { validationMessage: wrong })}
    >
      {(field) => (
        <div className={styles.row}>
          <Input
            {...field}
            // A text that is not a date makes `checkValidity` of the form fail.
            ref={(input: HTMLInputElement | null) => input?.setCustomValidity(isNoDate ? invalidText(withTime) : '')}
            className={withTime ? styles.withTime : styles.input}
            size={size}
            value={text}
            placeholder={typedPattern(withTime)}
            autoComplete="off"
            spellCheck={false}
            contentAfter={calendar}
            onChange={(_, data) => type(data.value)}
            onBlur={leave}
            onKeyDown={onKeyDown}
          />
          {actions}
        </div>
      )}
    </Field>
  );
};

type DayFieldsProps = Pick<DateFieldProps, 'size'> & {
  readonly nameOf: (bound: keyof Days) => string;
  readonly days: Days;
  readonly onChange: (change: Partial<Days>) => void;
};

export const DayFields = ({ nameOf, days, onChange, size }: DayFieldsProps) =>
  (['fromDay', 'toDay'] as const).map((bound) => (
    <DateField
      key={bound}
      label={nameOf(bound)}
      size={size}
      value={days[bound]}
      onChange={(day) => onChange({ [bound]: day })}
    />
  ));

type Range = { readonly from: string; readonly to: string };

type TimeRangeProps = Range & {
  /** Default: the labels of upload hours. */
  readonly labels?: Range;
  readonly readOnly?: boolean;
  readonly onChange: (change: Partial<Range>) => void;
};

export const TimeRange = (props: TimeRangeProps) => {
  const { labels = { from: t('common.hours.from'), to: t('common.hours.to') }, readOnly = false, onChange } = props;
  const styles = useStyles();
  return (
    <div className={styles.range}>
      {(['from', 'to'] as const).map((end) => (
        <Field key={end} className={styles.time} label={labels[end]}>
          <Input
            type="time"
            readOnly={readOnly}
            value={props[end]}
            onChange={(_, { value }) => {
              if (TimeOfDay.safeParse(value).success) onChange({ [end]: value });
            }}
          />
        </Field>
      ))}
    </div>
  );
};
