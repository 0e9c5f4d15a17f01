import { Button, Text } from '@fluentui/react-components';
import { compact } from 'es-toolkit';
import { useState } from 'react';
import { DateField } from '../../domain/date-field.tsx';
import { errorSentences } from '../../domain/errors.tsx';
import { useAction } from '../../state/store.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { Message } from '../../ui/message.tsx';
import { formatMoment, fromInputValue } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import type { Planned, usePlanMany } from './use-plan-many.ts';

type Planner = ReturnType<typeof usePlanMany>;

type PlanDialogProps = {
  readonly ids: readonly string[];
  readonly planner: Planner;
  readonly onClose: () => void;
  readonly onPlanned: () => void;
};

export const PlanDialog = ({ ids, planner, onClose, onPlanned }: PlanDialogProps) => {
  const [value, setValue] = useState('');
  const [missing, setMissing] = useState(false);
  const { progress } = planner;
  const act = useAction((change: Promise<void>) => change.then(onPlanned));
  const save = (): void => {
    const timeMs = fromInputValue(value);
    setMissing(timeMs === undefined);
    if (timeMs !== undefined) act.run(planner.set(ids, timeMs));
  };
  return (
    <DialogFrame
      title={t('work.plan.title', { count: ids.length })}
      onClose={onClose}
      onSubmit={() => !act.busy && save()}
      actions={
        <>
          <Button disabledFocusable={act.busy} onClick={() => act.run(planner.clear(ids))}>
            {t('work.plan.clear')}
          </Button>
          <Button type="submit" appearance="primary" disabledFocusable={act.busy}>
            {t('work.plan.save')}
          </Button>
        </>
      }
    >
      <DateField
        label={t('work.plan.field')}
        message={missing ? t('assignment.planAfter.missing') : undefined}
        withTime
        value={value}
        onChange={(next) => {
          setValue(next);
          setMissing(false);
        }}
      />
      <Text role="status">{progress && t('work.plan.progress', progress)}</Text>
    </DialogFrame>
  );
};

/**
 * Describes the outcome of a change. Undoing a change clears the dates of assignments whose earlier date is unknown.
 */
const plannedText = ({ kind, timeMs = 0, before, cleared, waiting }: Planned): string => {
  const count = before.length - cleared;
  return compact([
    count > 0 &&
      (kind === 'set' ? t('work.plan.set', { count, at: formatMoment(timeMs) }) : t('work.plan.restored', { count })),
    cleared > 0 && t('work.plan.cleared', { count: cleared }),
    waiting > 0 && t('work.plan.waiting', { count: waiting }),
  ]).join(' ');
};

/**
 * Shows the progress or the outcome of the last change of several assignments. A button undoes the change, unless the
 * change was itself an undo.
 */
export const PlannedNote = ({ planner }: { readonly planner: Planner }) => {
  const { planned, progress, dismiss, undo } = planner;
  const undone = useAction(undo);
  if (progress !== undefined) return <Message intent="info">{t('work.plan.progress', progress)}</Message>;
  if (planned === undefined) return null;
  const { kind, before, refused, error } = planned;
  return (
    <>
      {before.length > 0 && (
        <Message
          intent="info"
          action={
            <>
              {kind !== 'restored' && (
                <Button size="small" title={t('work.plan.undoHint')} onClick={() => undone.run(planned)}>
                  {t('work.plan.undo')}
                </Button>
              )}
              <Button size="small" onClick={dismiss}>
                {t('common.dismiss')}
              </Button>
            </>
          }
        >
          {plannedText(planned)}
        </Message>
      )}
      {error !== undefined && (
        <Message intent="error" title={t('work.plan.refused', { count: refused.length })}>
          {errorSentences(error)}
        </Message>
      )}
    </>
  );
};
