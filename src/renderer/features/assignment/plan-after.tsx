import { Button, Field, Input, makeStyles, Text, tokens } from '@fluentui/react-components';
import { type FormEvent, useState } from 'react';
import { useDesk } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import {
  formatMoment,
  fromInputValue,
  fromMilliseconds,
  timeBaseOf,
  toInputValue,
  toMilliseconds,
} from '../../ui/dates.ts';

const useStyles = makeStyles({
  row: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  state: { display: 'block', marginTop: tokens.spacingVerticalS, color: tokens.colorNeutralForeground3 },
});

/** What is known of the value: the service tells it only as the answer to a change. */
type Known =
  | { readonly state: 'unknown' }
  | { readonly state: 'cleared' }
  | { readonly state: 'set'; readonly raw: number };

const stateText = (known: Known): string => {
  switch (known.state) {
    case 'unknown':
      return 'The service tells the present date only after a change.';
    case 'cleared':
      return 'The date was cleared.';
    case 'set':
      return `Saved: plan after ${formatMoment(toMilliseconds(known.raw))}, local time.`;
  }
};

export type PlanAfterProps = {
  readonly id: string;
  /** Another time of the same service, which tells whether it counts seconds or milliseconds. */
  readonly sample?: number | undefined;
};

/** Sets or clears the date after which the assignment is planned. */
export const PlanAfter = ({ id, sample }: PlanAfterProps) => {
  const styles = useStyles();
  const desk = useDesk();
  const [value, setValue] = useState('');
  const [missing, setMissing] = useState(false);
  const [known, setKnown] = useState<Known>({ state: 'unknown' });
  const save = useAction(async (timeMs: number) => {
    const { PlanAfter: raw } = await desk.assignments.planAfter({
      AssignmentId: id,
      PlanAfter: fromMilliseconds(timeMs, timeBaseOf(sample ?? 0)),
    });
    setKnown({ state: 'set', raw });
    setValue(toInputValue(toMilliseconds(raw)));
  });
  const clear = useAction(async () => {
    await desk.assignments.planAfter({ AssignmentId: id });
    setKnown({ state: 'cleared' });
    setMissing(false);
    setValue('');
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const timeMs = fromInputValue(value);
    setMissing(timeMs === undefined);
    if (timeMs !== undefined) save.run(timeMs);
  };
  const busy = save.busy || clear.busy;
  return (
    <form onSubmit={submit} noValidate>
      <Field label="Date and time" {...(missing ? { validationMessage: 'Choose a date and a time.' } : {})}>
        {(field) => (
          <div className={styles.row}>
            <Input {...field} type="datetime-local" value={value} onChange={(_, data) => setValue(data.value)} />
            <Button type="submit" disabledFocusable={busy}>
              Save date
            </Button>
            <Button appearance="subtle" disabledFocusable={busy} onClick={() => clear.run()}>
              Clear date
            </Button>
          </div>
        )}
      </Field>
      <Text className={styles.state} role="status">
        {stateText(known)}
      </Text>
    </form>
  );
};
