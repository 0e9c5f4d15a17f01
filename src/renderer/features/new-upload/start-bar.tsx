import {
  Button,
  Field,
  Link,
  MenuButton,
  makeStyles,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  Spinner,
  Switch,
  Text,
  tokens,
} from '@fluentui/react-components';
import { ArrowUndo20Regular, ArrowUpload20Regular, Question16Regular } from '@fluentui/react-icons';
import { compact } from 'es-toolkit';
import { useState } from 'react';
import type { Draft } from '../../../contract/drafts.ts';
import { type Hours, OVERNIGHT, type Period, type WantedSchedule } from '../../../contract/hours.ts';
import { AutomaticReceipt } from '../../../contract/uploads.ts';
import { DateField, TimeRange } from '../../domain/date-field.tsx';
import { useManaged } from '../../domain/managed.tsx';
import { leftOutText, receiptName, recentSpeed } from '../../domain/uploads/batch-words.ts';
import { useAction, useApp, useDesk, useSnapshot } from '../../state/store.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { useNow, useWithin } from '../../ui/hooks.ts';
import { Line, Minor } from '../../ui/page.tsx';
import { sideBySide, stacked, wrapping } from '../../ui/styles.ts';
import { formatBytes, formatTimeLeft } from '../../words/amounts.ts';
import { formatMoment, fromInputValue, toInputValue } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { Renames } from './renames.tsx';
import { amountsText } from './review-table.tsx';

const useStyles = makeStyles({
  bar: {
    // In a low window, a sticky bar would cover the table.
    '@media (min-height: 520px)': { position: 'sticky', bottom: 0 },
    zIndex: 1,
    ...wrapping(`${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`),
    padding: `${tokens.spacingVerticalS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  sum: { flex: '1 1 260px', display: 'flex', flexDirection: 'column' },
  undecided: { ...sideBySide(tokens.spacingHorizontalXS), alignSelf: 'flex-start' },
  fields: { ...stacked(tokens.spacingVerticalM), width: 'min(300px, 80vw)' },
});

type StartBarProps = {
  readonly draft: Draft;
  /** Whether everything is to go to one assignment that has not been chosen yet. */
  readonly lacksTarget: boolean;
  readonly startId: string;
  readonly undecidedId: string;
  readonly onUndo: () => void;
  readonly onUndecided: () => void;
  /** Called after the upload has started. Undecided folders stay in the draft. */
  readonly onStarted: () => void;
  readonly isDoubtful: boolean | undefined;
};

/**
 * How long the start button waits for warnings. After that, the upload can be started anyway, and the button says so.
 */
const PATIENCE_MS = 5_000;

/** The time is checked this often, so that a start time that has passed is refused soon. */
const SOON_MS = 10_000;

export const StartBar = (props: StartBarProps) => {
  const { draft, lacksTarget, startId, undecidedId, onUndo, onUndecided, onStarted } = props;
  const isDoubtful = useWithin(props.isDoubtful, PATIENCE_MS, true);
  const styles = useStyles();
  const { drafts } = useDesk();
  const showStarted = useApp((state) => state.showStarted);
  const usual = useSnapshot(({ preferences }) => preferences.uploadHours);
  const isManaged = useManaged('uploads.hours');
  const usualReceipt = useSnapshot(({ preferences }) => preferences.uploadReceipt ?? 'none');
  const [chosen, choose] = useState<Partial<StartOptions>>({});
  const {
    time = startTimeOf(usual?.length && !isManaged ? 'hours' : 'now', usual, Date.now()),
    receipt = usualReceipt,
    takesLater = false,
  } = chosen;
  const now = useNow(SOON_MS);
  const schedule = wantedSchedule(time, now);
  const passed = passedText(time, now);
  const start = useAction(async () => {
    const { uploadId } = await drafts.start({ schedule, receipt, takesLater, chosen: draft.chosen });
    onStarted();
    await showStarted(uploadId);
  });
  const bytesPerSecond = useSnapshot(({ batches }) => recentSpeed(batches));
  const onePiece = draft.inOnePiece ? onePieceText(draft.inOnePiece, bytesPerSecond) : '';
  const isReady = draft.phase === 'ready' && draft.toSend.files > 0 && !lacksTarget;
  const [rest, undecided] = [restText(draft), lacksTarget ? '' : undecidedText(draft)];
  return (
    <div className={styles.bar}>
      <div className={styles.sum} role="status">
        {!lacksTarget && <Text weight="semibold">{sumText(draft)}</Text>}
        {undecided !== '' && (
          <Link as="button" id={undecidedId} className={styles.undecided} onClick={onUndecided}>
            <Question16Regular />
            {undecided}
          </Link>
        )}
        {passed !== undefined && <Text size={200}>{passed}</Text>}
        {rest !== '' && <Minor size={200}>{rest}</Minor>}
        {onePiece !== '' && <Minor size={200}>{onePiece}</Minor>}
        <Renames />
      </div>
      <Line>
        <ChooseOptions
          options={{ time, receipt, takesLater }}
          passed={passed}
          onChange={(changed) => choose({ ...chosen, ...changed })}
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
          {t(`newUpload.start.${isDoubtful === true ? 'anyway' : time.kind === 'at' ? 'schedule' : 'action'}`)}
        </Button>
      </Line>
    </div>
  );
};

const KINDS = ['now', 'at', 'hours'] as const;

type StartOptions = {
  readonly time: StartTime;
  readonly receipt: AutomaticReceipt;
  /** Whether files that are added or changed after the review are uploaded, too. */
  readonly takesLater: boolean;
};

type ChooseOptionsProps = {
  readonly options: StartOptions;
  readonly passed: string | undefined;
  readonly onChange: (changed: Partial<StartOptions>) => void;
};

const ChooseOptions = ({ options: { time, receipt, takesLater }, passed, onChange }: ChooseOptionsProps) => {
  const styles = useStyles();
  const usual = useSnapshot(({ preferences }) => preferences.uploadHours);
  const isManaged = useManaged('uploads.hours');
  return (
    <Popover trapFocus>
      <PopoverTrigger disableButtonEnhancement>
        <MenuButton>{startText(time, receipt, isManaged)}</MenuButton>
      </PopoverTrigger>
      <PopoverSurface className={styles.fields} aria-label={t('newUpload.when.options')}>
        <SelectField
          label={t('newUpload.when.label')}
          values={KINDS.filter((kind) => !isManaged || kind !== 'hours')}
          nameOf={(kind) => t(`newUpload.when.${kind}`)}
          value={time.kind}
          onChoose={(kind) => onChange({ time: startTimeOf(kind, usual, Date.now()) })}
        />
        {time.kind === 'at' && (
          <DateField
            label={t('newUpload.when.moment')}
            message={passed}
            withTime
            value={time.at}
            onChange={(at) => onChange({ time: { kind: 'at', at } })}
          />
        )}
        {time.kind === 'hours' && (
          <TimeRange
            from={time.hours[0].from}
            to={time.hours[0].to}
            labels={{ from: t('newUpload.when.from'), to: t('newUpload.when.to') }}
            onChange={(change) => {
              const [first, ...others] = time.hours;
              onChange({ time: { kind: 'hours', hours: [{ ...first, ...change }, ...others] } });
            }}
          />
        )}
        {isManaged && <Minor size={200}>{t('newUpload.when.managed')}</Minor>}
        <SelectField
          label={t('settings.receipt')}
          hint={t('settings.receiptHint')}
          values={AutomaticReceipt.options}
          nameOf={receiptName}
          value={receipt}
          onChoose={(chosen) => onChange({ receipt: chosen })}
        />
        <Field hint={t('newUpload.when.laterHint')}>
          <Switch
            label={t('newUpload.when.later')}
            checked={takesLater}
            onChange={(_, { checked }) => onChange({ takesLater: checked })}
          />
        </Field>
      </PopoverSurface>
    </Popover>
  );
};

/** Says when the upload starts. `isManaged`: whether the organisation has set the hours, which apply to all uploads. */
const timeText = (time: StartTime, isManaged: boolean): string => {
  const atMs = time.kind === 'at' ? fromInputValue(time.at) : undefined;
  if (atMs !== undefined) return t('uploads.starts', { at: formatMoment(atMs) });
  if (time.kind === 'now' && isManaged) return t('newUpload.when.hours');
  return t(`newUpload.when.${time.kind === 'now' ? 'starts' : time.kind}`);
};

const startText = (time: StartTime, receipt: AutomaticReceipt, isManaged: boolean): string => {
  const when = timeText(time, isManaged);
  return receipt === 'none' ? when : `${when} · ${t('newUpload.when.receipt', { format: receiptName(receipt) })}`;
};

/**
 * A start time as the form contains it. `at`: the value of a field for a date and time, empty until it is filled in.
 */
type StartTime =
  | { readonly kind: 'now' }
  | { readonly kind: 'at'; readonly at: string }
  | { readonly kind: 'hours'; readonly hours: readonly [Period, ...Hours] };

const MINUTE_MS = 60_000;

/** Returns the start time that is proposed when the user chooses `kind`. `usual`: the hours in the settings. */
export const startTimeOf = (kind: StartTime['kind'], usual: Hours | undefined, nowMs: number): StartTime => {
  if (kind === 'now') return { kind };
  if (kind === 'at') {
    const evening = new Date(nowMs);
    evening.setHours(Number.parseInt(OVERNIGHT.from, 10), 0, 0, 0);
    if (evening.getTime() <= nowMs) evening.setDate(evening.getDate() + 1);
    return { kind, at: toInputValue(evening.getTime()) };
  }
  const [first = OVERNIGHT, ...others] = usual ?? [];
  return { kind, hours: [first, ...others] };
};

/** Returns the start time in ms since 1970 if it passed more than a minute ago; otherwise undefined. */
const passedAt = (time: StartTime, nowMs: number): number | undefined => {
  const atMs = time.kind === 'at' ? fromInputValue(time.at) : undefined;
  return atMs === undefined || atMs >= nowMs - MINUTE_MS ? undefined : atMs;
};

const passedText = (time: StartTime, nowMs: number): string | undefined => {
  const atMs = passedAt(time, nowMs);
  return atMs === undefined ? undefined : t('newUpload.when.passed', { at: formatMoment(atMs) });
};

/** Returns the schedule for `drafts.start`; undefined while the start time is missing or has passed. */
export const wantedSchedule = (time: StartTime, nowMs: number): WantedSchedule | undefined => {
  if (time.kind === 'now') return { hours: [] };
  if (time.kind === 'hours') return { hours: time.hours };
  const notBeforeMs = fromInputValue(time.at);
  if (notBeforeMs === undefined || passedAt(time, nowMs) !== undefined) return undefined;
  return { notBeforeMs, hours: [] };
};

// What an upload would send, in words.

/**
 * Sums up what an upload would send, such as "12 folders, 61 new files, 12 MB to 12 assignments", or says that it would
 * send nothing.
 */
const sumText = ({ chosen, toSend }: Draft): string =>
  toSend.files === 0
    ? t(chosen.files === 0 ? 'newUpload.start.nothing' : 'newUpload.start.nothingNew')
    : t('newUpload.start.sum', {
        folders: t('count.folder', { count: toSend.folders }),
        files:
          toSend.files < chosen.files
            ? t('newUpload.amount.new', { count: toSend.files })
            : t('count.file', { count: toSend.files }),
        size: formatBytes(toSend.bytes),
        assignments: t('count.assignment', { count: toSend.assignments }),
      });

/** Says how many folders have no assignment yet; empty if there are none, or until matching is complete. */
export const undecidedText = ({ phase, counts }: Pick<Draft, 'phase' | 'counts'>): string =>
  phase === 'ready' && counts.undecided > 0 ? `${t('newUpload.start.undecided', { count: counts.undecided })}.` : '';

/**
 * Says how many files were sent before, have a name that is taken, or are left out, and whether comparisons are still
 * in progress.
 */
export const restText = (
  draft: Pick<Draft, 'phase' | 'isComparing' | 'leftOut' | 'comparing' | 'sent' | 'clashes' | 'leftOutFiles'>,
): string => {
  const { phase, isComparing, leftOut, comparing } = draft;
  const left = leftOutText(leftOut);
  const amounts = amountsText({ ...draft, toSend: { folders: 0, files: 0, bytes: 0, assignments: 0 } });
  return compact([
    amounts !== '' && `${amounts}.`,
    phase === 'ready' && comparing > 0 && `${t('newUpload.start.asking', { count: comparing })}.`,
    isComparing && t('newUpload.start.comparing'),
    left !== '' && `${t('newUpload.start.leftOut', { what: left })}.`,
  ]).join(' ');
};

/** `onePieceText` mentions a file if its upload takes at least this many seconds. */
const LONG_S = 300;
/** `onePieceText` mentions a file of at least this size if the speed of uploads is unknown. */
const LARGE_BYTES = 1_000_000_000;

/**
 * Says that a large file is sent in one piece and therefore starts over after an interruption. Empty if its upload is
 * short. `bytesPerSecond`: the speed of recent uploads, if it is known.
 */
export const onePieceText = (
  { name, sizeBytes }: NonNullable<Draft['inOnePiece']>,
  bytesPerSecond: number | undefined,
): string => {
  const size = formatBytes(sizeBytes);
  if (bytesPerSecond === undefined)
    return sizeBytes < LARGE_BYTES ? '' : t('newUpload.start.inOnePiece', { name, size });
  const time = formatTimeLeft(sizeBytes, bytesPerSecond) ?? '';
  return sizeBytes / bytesPerSecond < LONG_S ? '' : t('newUpload.start.inOnePieceTimed', { name, size, time });
};
