import { Button, Field, Input, makeStyles, Text, tokens } from '@fluentui/react-components';
import { type FormEvent, useState } from 'react';
import type { KnownAssignment, OutboxEntry } from '../../../contract/offline.ts';
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
import { t } from '../../words/words.ts';
import { WaitingChanges } from './waiting-changes.tsx';

const useStyles = makeStyles({
  row: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  state: { display: 'block', marginTop: tokens.spacingVerticalS, color: tokens.colorNeutralForeground3 },
});

/** What is known of the value: the service tells it only as the answer to a change. */
type Known =
  | { readonly state: 'unknown' }
  | { readonly state: 'cleared' }
  | { readonly state: 'set'; readonly raw: number };

const stateText = (known: Known, last: LastAnswer): string => {
  switch (known.state) {
    case 'unknown':
      if (last === undefined) return t('assignment.planAfter.unknown');
      return t('assignment.planAfter.last', {
        at: formatMoment(toMilliseconds(last.PlanAfter)),
        on: formatMoment(last.at),
        raw: last.PlanAfter,
      });
    case 'cleared':
      return t('assignment.planAfter.cleared');
    case 'set':
      return t('assignment.planAfter.saved', { at: formatMoment(toMilliseconds(known.raw)), raw: known.raw });
  }
};

/** What the service last answered to a change, and when. */
type LastAnswer = KnownAssignment['planAfter'];

/** A change of the date in words. */
const describe = (entry: OutboxEntry): string =>
  entry.kind === 'plan-after' && entry.PlanAfter !== undefined
    ? t('assignment.change.planAfter', { at: formatMoment(toMilliseconds(entry.PlanAfter)) })
    : t('assignment.change.clearPlanAfter');

export type PlanAfterProps = {
  readonly id: string;
  /** Another time of the same service, which tells whether it counts seconds or milliseconds. */
  readonly sample?: number | undefined;
  readonly last: LastAnswer;
};

/** Sets or clears the date after which the assignment is planned. */
export const PlanAfter = ({ id, sample, last }: PlanAfterProps) => {
  const styles = useStyles();
  const desk = useDesk();
  const [value, setValue] = useState('');
  const [missing, setMissing] = useState(false);
  const [known, setKnown] = useState<Known>({ state: 'unknown' });
  const save = useAction(async (timeMs: number) => {
    const { PlanAfter: raw, waiting } = await desk.assignments.planAfter({
      AssignmentId: id,
      PlanAfter: fromMilliseconds(timeMs, timeBaseOf(sample ?? 0)),
    });
    if (waiting) return;
    setKnown({ state: 'set', raw });
    setValue(toInputValue(toMilliseconds(raw)));
  });
  const clear = useAction(async () => {
    const { waiting } = await desk.assignments.planAfter({ AssignmentId: id });
    if (!waiting) setKnown({ state: 'cleared' });
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
      <Field
        label={t('assignment.planAfter.field')}
        {...(missing ? { validationMessage: t('assignment.planAfter.missing') } : {})}
      >
        {(field) => (
          <div className={styles.row}>
            <Input {...field} type="datetime-local" value={value} onChange={(_, data) => setValue(data.value)} />
            <Button type="submit" disabledFocusable={busy}>
              {t('assignment.planAfter.save')}
            </Button>
            <Button appearance="subtle" disabledFocusable={busy} onClick={() => clear.run()}>
              {t('assignment.planAfter.clear')}
            </Button>
          </div>
        )}
      </Field>
      <Text className={styles.state} role="status">
        {stateText(known, last)}
      </Text>
      <WaitingChanges id={id} kind="plan-after" describe={describe} />
    </form>
  );
};
