import {
  Button,
  Field,
  MenuButton,
  makeStyles,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  Select,
  Spinner,
  Switch,
  Text,
  tokens,
} from '@fluentui/react-components';
import { ArrowUndo20Regular, ArrowUpload20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { Draft } from '../../../contract/drafts.ts';
import type { Hours, Period, WantedSchedule } from '../../../contract/hours.ts';
import { AutomaticReceipt } from '../../../contract/uploads.ts';
import { DateField, TimeRange } from '../../domain/date-field.tsx';
import { useManaged } from '../../domain/managed.tsx';
import { useAction, useApp, useDesk, useSnapshot } from '../../state/context.tsx';
import { formatMoment, fromInputValue, toInputValue } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { Renames } from './renames.tsx';
import { restText, sumText } from './row-words.tsx';

const useStyles = makeStyles({
  bar: {
    // In a low window it would cover the table.
    '@media (min-height: 520px)': { position: 'sticky', bottom: 0 },
    zIndex: 1,
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    padding: `${tokens.spacingVerticalS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  sum: { flex: '1 1 260px', display: 'flex', flexDirection: 'column' },
  rest: { color: tokens.colorNeutralForeground3 },
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

type StartBarProps = {
  readonly draft: Draft;
  /** The id of the button that starts it. */
  readonly startId: string;
  readonly onUndo: () => void;
  /** What stays is what was not decided. */
  readonly onStarted: () => void;
  /** Whether something speaks against it; undefined until that is known. */
  readonly isDoubtful: boolean | undefined;
};

/** What would be uploaded, and the button that does it. */
export const StartBar = ({ draft, startId, onUndo, onStarted, isDoubtful }: StartBarProps) => {
  const styles = useStyles();
  const { drafts } = useDesk();
  const showStarted = useApp((state) => state.showStarted);
  const usual = useSnapshot(({ preferences }) => preferences.uploadHours);
  const isManaged = useManaged('uploads.hours');
  const [chosen, choose] = useState<StartTime>();
  const time = chosen ?? startTimeOf(usual?.length && !isManaged ? 'hours' : 'now', usual, Date.now());
  const schedule = wantedSchedule(time);
  const usualReceipt = useSnapshot(({ preferences }) => preferences.uploadReceipt ?? 'none');
  const [receipt = usualReceipt, chooseReceipt] = useState<AutomaticReceipt>();
  const [takesLater, takeLater] = useState(false);
  const start = useAction(async () => {
    const { uploadId } = await drafts.start({ schedule, receipt, takesLater, toSend: draft.toSend });
    onStarted();
    await showStarted(uploadId);
  });
  const isReady = draft.phase === 'ready' && draft.toSend.files > 0;
  const rest = restText(draft);
  return (
    <div className={styles.bar}>
      <div className={styles.sum} role="status">
        <Text weight="semibold">{sumText(draft)}</Text>
        {rest !== '' && (
          <Text size={200} className={styles.rest}>
            {rest}
          </Text>
        )}
        <Renames />
      </div>
      <div className={styles.buttons}>
        <StartOptions
          time={time}
          onTime={choose}
          receipt={receipt}
          onReceipt={chooseReceipt}
          takesLater={takesLater}
          onTakesLater={takeLater}
        />
        <Button icon={<ArrowUndo20Regular />} disabledFocusable={!draft.canUndo} onClick={onUndo}>
          {t('newUpload.undo.action')}
        </Button>
        <Button
          id={startId}
          appearance="primary"
          icon={start.busy ? <Spinner size="tiny" /> : <ArrowUpload20Regular />}
          disabledFocusable={start.busy || !isReady || isDoubtful === undefined || schedule === undefined}
          onClick={start.run}
        >
          {isDoubtful === true ? t('newUpload.start.anyway') : t('newUpload.start.action')}
        </Button>
      </div>
    </div>
  );
};

const useStartOptionsStyles = makeStyles({
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
const StartOptions = ({ time, onTime, receipt, onReceipt, takesLater, onTakesLater }: StartOptionsProps) => {
  const styles = useStartOptionsStyles();
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

/** `isManaged`: the organisation has set the hours, which count for all uploads. */
const timeText = (time: StartTime, isManaged: boolean): string => {
  const atMs = time.kind === 'at' ? fromInputValue(time.at) : undefined;
  if (atMs !== undefined) return t('uploads.starts', { at: formatMoment(atMs) });
  if (time.kind === 'now' && isManaged) return t('newUpload.when.hours');
  return t(`newUpload.when.${time.kind === 'now' ? 'starts' : time.kind}`);
};

/** Such as "Starts now · Receipt: PDF". */
const startText = (time: StartTime, receipt: AutomaticReceipt, isManaged: boolean): string => {
  const when = timeText(time, isManaged);
  if (receipt === 'none') return when;
  return `${when} · ${t('newUpload.when.receipt', { format: t(`uploads.receipt.format.${receipt}`) })}`;
};

// When an upload starts, as its form holds it.

/** `at`: the value of a field for a date and time, empty until it is filled in. */
export type StartTime =
  | { readonly kind: 'now' }
  | { readonly kind: 'at'; readonly at: string }
  | { readonly kind: 'hours'; readonly hours: readonly [Period, ...Hours] };

/** After office hours. */
const EVENING = '18:00';
const EVENING_HOUR = 18;
const MORNING = '07:00';

/** What each kind begins with. `usual`: the hours of the settings; `nowMs`: the present. */
export const startTimeOf = (kind: StartTime['kind'], usual: Hours | undefined, nowMs: number): StartTime => {
  if (kind === 'now') return { kind };
  if (kind === 'at') {
    const evening = new Date(nowMs);
    evening.setHours(EVENING_HOUR, 0, 0, 0);
    if (evening.getTime() <= nowMs) evening.setDate(evening.getDate() + 1);
    return { kind, at: toInputValue(evening.getTime()) };
  }
  const [first = { from: EVENING, to: MORNING }, ...others] = usual ?? [];
  return { kind, hours: [first, ...others] };
};

/** As it is asked for; undefined while it is not complete. */
export const wantedSchedule = (time: StartTime): WantedSchedule | undefined => {
  if (time.kind === 'now') return { hours: [] };
  if (time.kind === 'hours') return { hours: time.hours };
  const notBeforeMs = fromInputValue(time.at);
  return notBeforeMs === undefined ? undefined : { notBeforeMs, hours: [] };
};
