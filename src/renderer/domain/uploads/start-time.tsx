/** When an upload starts: the choice in a form, for a new upload or one that waits for its schedule. */
import { useState } from 'react';
import { type Hours, OVERNIGHT, type Schedule, type WantedSchedule } from '../../../contract/hours.ts';
import { useDesk, useSnapshot } from '../../state/store.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { useNow } from '../../ui/hooks.ts';
import { Minor } from '../../ui/page.tsx';
import { formatMoment, fromInputValue, toInputValue } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { DateField, TimeRange } from '../date-field.tsx';
import { useManaged } from '../managed.tsx';

const LATER_KINDS = ['at', 'hours'] as const;

export const START_KINDS = ['now', ...LATER_KINDS] as const;

export type StartTime = {
  readonly kind: (typeof START_KINDS)[number];
  /** The start of an upload of the kind `at`: the value of a field for a date and time, empty until it is filled in. */
  readonly at: string;
  readonly hours: Hours;
};

/** The time is checked this often, so that a start time that has passed is refused soon. */
export const START_CHECK_MS = 10_000;

const MINUTE_MS = 60_000;

/**
 * Returns the times that are proposed for a later start: the next evening, and the hours in the settings (`usual`) or,
 * if there are none, `OVERNIGHT`.
 */
export const proposedTimes = (usual: Hours | undefined, nowMs: number): Pick<StartTime, 'at' | 'hours'> => {
  const evening = new Date(nowMs);
  evening.setHours(Number.parseInt(OVERNIGHT.from, 10), 0, 0, 0);
  if (evening.getTime() <= nowMs) evening.setDate(evening.getDate() + 1);
  return { at: toInputValue(evening.getTime()), hours: usual?.length ? usual : [OVERNIGHT] };
};

/** Returns the start time in ms since 1970 if it passed more than a minute ago; otherwise undefined. */
const passedAt = ({ kind, at }: StartTime, nowMs: number): number | undefined => {
  const atMs = kind === 'at' ? fromInputValue(at) : undefined;
  return atMs === undefined || atMs >= nowMs - MINUTE_MS ? undefined : atMs;
};

export const passedText = (time: StartTime, nowMs: number): string | undefined => {
  const atMs = passedAt(time, nowMs);
  return atMs === undefined ? undefined : t('newUpload.when.passed', { at: formatMoment(atMs) });
};

/** Returns the schedule to request; undefined while the start time is missing or has passed. */
export const wantedSchedule = (time: StartTime, nowMs: number): WantedSchedule | undefined => {
  if (time.kind === 'now') return { hours: [] };
  if (time.kind === 'hours') return { hours: time.hours };
  const notBeforeMs = fromInputValue(time.at);
  if (notBeforeMs === undefined || passedAt(time, nowMs) !== undefined) return undefined;
  return { notBeforeMs, hours: [] };
};

type StartTimeFieldsProps = {
  readonly time: StartTime;
  /** The kinds to choose from. The kind `hours` is not offered if the organisation has set the hours. */
  readonly kinds: readonly StartTime['kind'][];
  readonly onChange: (change: Partial<StartTime>) => void;
};

export const StartTimeFields = ({ time, kinds, onChange }: StartTimeFieldsProps) => {
  const { kind, at, hours } = time;
  const [period, ...others] = hours;
  const usual = useSnapshot(({ preferences }) => preferences.uploadHours);
  const isManaged = useManaged('uploads.hours');
  const now = useNow(START_CHECK_MS);
  return (
    <>
      <SelectField
        label={t('newUpload.when.label')}
        values={kinds.filter((one) => !isManaged || one !== 'hours')}
        nameOf={(one) => t(`newUpload.when.${one}`)}
        value={kind}
        onChoose={(chosen) => {
          const isUsable = wantedSchedule({ ...time, kind: 'at' }, Date.now()) !== undefined;
          onChange({ kind: chosen, hours, at: isUsable ? at : proposedTimes(usual, Date.now()).at });
        }}
      />
      {kind === 'at' && (
        <DateField
          label={t('newUpload.when.moment')}
          message={passedText(time, now)}
          withTime
          value={at}
          onChange={(chosen) => onChange({ at: chosen })}
        />
      )}
      {kind === 'hours' && period && (
        <TimeRange
          from={period.from}
          to={period.to}
          onChange={(change) => onChange({ hours: [{ ...period, ...change }, ...others] })}
        />
      )}
      {isManaged && <Minor size={200}>{t('newUpload.when.managed')}</Minor>}
    </>
  );
};

type RescheduleDialogProps = {
  /** A batch, or all batches of an upload that wait for their schedule. */
  readonly of: { readonly batchId: string } | { readonly uploadId: string };
  readonly before: Schedule;
  readonly onClose: () => void;
};

/** A dialog for changing the start time of an upload that waits for its schedule. */
export const RescheduleDialog = ({ of, before, onClose }: RescheduleDialogProps) => {
  const { uploads } = useDesk();
  const usual = useSnapshot(({ preferences }) => preferences.uploadHours);
  const isManaged = useManaged('uploads.hours');
  const now = useNow(START_CHECK_MS);
  const [time, setTime] = useState<StartTime>(() => {
    const { notBeforeMs, hours } = before;
    const proposed = proposedTimes(usual, now);
    return {
      kind: notBeforeMs === undefined && !isManaged ? 'hours' : 'at',
      at: notBeforeMs === undefined ? proposed.at : toInputValue(notBeforeMs),
      hours: hours.length > 0 ? hours : proposed.hours,
    };
  });
  const schedule = wantedSchedule(time, now);
  return (
    <DialogFrame
      title={t('uploads.action.rescheduleTitle')}
      onClose={onClose}
      main={{
        label: t('uploads.action.rescheduleSave'),
        disabled: schedule === undefined,
        act: () => schedule && uploads.reschedule({ of, schedule }),
        onDone: onClose,
      }}
    >
      <StartTimeFields time={time} kinds={LATER_KINDS} onChange={(change) => setTime({ ...time, ...change })} />
    </DialogFrame>
  );
};
