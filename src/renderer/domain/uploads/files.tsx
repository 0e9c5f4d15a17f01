import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import {
  ArrowUpload16Regular,
  CheckmarkCircle16Filled,
  Clock16Regular,
  CloudCheckmark16Regular,
  Delete16Regular,
  ErrorCircle16Filled,
  type FluentIcon,
  QuestionCircle16Filled,
  SubtractCircle16Regular,
} from '@fluentui/react-icons';
import type { MouseEvent } from 'react';
import type { ErrorCode, ErrorData } from '../../../contract/errors.ts';
import type { FileMenuTarget, FoundFile, FoundState } from '../../../contract/files.ts';
import { type Place, useDesk, useReport, useSnapshot } from '../../state/store.tsx';
import { type Column, TwoLines } from '../../ui/data-table/columns.tsx';
import { useLatest } from '../../ui/hooks.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

/** Whether a file was skipped because another file has its name. Other skipped files were uploaded before. */
export const isNameTaken = ({ state, error }: Pick<FileInState, 'state' | 'error'>): boolean =>
  state === 'skipped' && (typeof error === 'object' ? error.code : error) === 'upload/name-taken';

/**
 * Returns the page that a found file leads to. A file that has arrived, now or before, or was removed or reported,
 * leads to its assignment, and so does a file whose batch is unknown. Other files lead to their batch, where the user
 * can deal with them.
 */
export const foundFilePlace = (file: FoundFile): Place => {
  const { state, batchId, AssignmentId, FileName } = file;
  const isSkipped = state === 'skipped' && !isNameTaken(file);
  const isThere = state === 'done' || isSkipped || state === 'removed' || state === 'reported';
  return isThere || batchId === undefined
    ? { name: 'assignment', AssignmentId, file: FileName }
    : { name: 'batch', batch: batchId };
};

export const foundFileTarget = ({ title, AssignmentId }: FoundFile): string => title ?? AssignmentId;

/**
 * Returns the details of a found file, such as "12 Mill Street, York", "3 Feb 2025, 14:05", "Uploaded",
 * "Site A/photos". The folder, which often repeats the address, comes last, where it is cut if there is no room.
 */
export const foundFileDetails = (file: FoundFile): readonly string[] => [
  foundFileTarget(file),
  formatMoment(file.addedAtMs),
  foundStateName(shownState(file, false)),
  file.folder ?? '',
];

type Look = { readonly Icon: FluentIcon; readonly tone: 'calm' | 'good' | 'bad' };

/** `waiting`: a file in progress waits for its next attempt; `nameTaken`: see `isNameTaken`. */
type ShownState = FoundState | 'waiting' | 'nameTaken';

const looks: Readonly<Record<ShownState, Look>> = {
  waiting: { Icon: Clock16Regular, tone: 'calm' },
  queued: { Icon: Clock16Regular, tone: 'calm' },
  signing: { Icon: ArrowUpload16Regular, tone: 'calm' },
  sending: { Icon: ArrowUpload16Regular, tone: 'calm' },
  done: { Icon: CheckmarkCircle16Filled, tone: 'good' },
  skipped: { Icon: CheckmarkCircle16Filled, tone: 'calm' },
  nameTaken: { Icon: SubtractCircle16Regular, tone: 'calm' },
  failed: { Icon: ErrorCircle16Filled, tone: 'bad' },
  uncertain: { Icon: QuestionCircle16Filled, tone: 'bad' },
  cancelled: { Icon: SubtractCircle16Regular, tone: 'calm' },
  removed: { Icon: Delete16Regular, tone: 'calm' },
  reported: { Icon: CloudCheckmark16Regular, tone: 'calm' },
};

const useStyles = makeStyles({
  state: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    verticalAlign: 'middle',
    // Lets a state wrap, because the longest ones take two lines.
    whiteSpace: 'normal',
  },
  icon: { flexShrink: 0 },
  calm: { color: tokens.colorNeutralForeground3 },
  good: { color: tokens.colorStatusSuccessForeground1 },
  bad: { color: tokens.colorStatusDangerForeground1 },
});

export const foundStateName = (state: ShownState): string =>
  state === 'removed' || state === 'reported' ? t(`files.${state}`) : t(`uploads.fileState.${state}`);

const FileStateText = ({ state }: { readonly state: ShownState }) => {
  const styles = useStyles();
  const { Icon, tone } = looks[state];
  return (
    <span className={styles.state}>
      <Icon className={mergeClasses(styles.icon, styles[tone])} aria-hidden="true" />
      {foundStateName(state)}
    </span>
  );
};

/**
 * Returns a function that opens the menu of the file or folder that `of` returns for a row, at the position of the
 * event. The function stays the same in every render; it is undefined if the app has no such menus. Unless a key
 * pressed a button, it does nothing while text is selected, because selected text has a menu of its own.
 */
export const useFileMenu = <Row,>(of: (row: Row) => FileMenuTarget | undefined) => {
  const { files } = useDesk();
  const report = useReport();
  const isOffered = useSnapshot(({ hasDesktop }) => hasDesktop);
  const openMenu = useLatest((row: Row, event: MouseEvent): void => {
    const target = of(row);
    if (target === undefined || (!isByKey(event) && getSelection()?.isCollapsed === false)) return;
    event.preventDefault();
    files.menu({ of: target, at: pointOf(event) }).catch(report);
  });
  return isOffered ? openMenu : undefined;
};

/** Whether `event` is the click of a button that was pressed with the keyboard. */
const isByKey = ({ type, detail }: MouseEvent): boolean => type === 'click' && detail === 0;

/** Returns where a menu opens: at the pointer, or below the button if it was pressed with the keyboard. */
const pointOf = (event: MouseEvent) => {
  const { clientX, clientY, target } = event;
  if (!isByKey(event) || !(target instanceof Element)) return { x: clientX, y: clientY };
  const { left, bottom } = target.getBoundingClientRect();
  return { x: left, y: bottom };
};

/**
 * Returns a column that shows each file with its folder, to tell files with the same name apart. `look`: "name" if the
 * cell is the button that opens the row.
 */
export const fileInFolder = (
  look?: 'name',
): Column<{ readonly FileName: string; readonly folder?: string | undefined }> => ({
  id: 'File',
  header: 'common.file',
  cell: ({ FileName, folder }) => (
    <TwoLines
      first={<MiddleCut name={FileName} />}
      second={folder === undefined ? '' : <MiddleCut name={folder} />}
      look={look}
    />
  ),
  text: ({ FileName, folder }) => [folder, FileName].filter(Boolean).join('/'),
});

export const fileSize: Column<{ readonly sizeBytes?: number | undefined }> = {
  id: 'Size',
  header: 'common.size',
  width: '92px',
  align: 'end',
  cell: ({ sizeBytes }) => sizeBytes !== undefined && formatBytes(sizeBytes),
  value: ({ sizeBytes = '' }) => sizeBytes,
  sheetHeader: 'uploads.files.sizeBytes',
};

type FileInState = {
  readonly state: FoundState;
  readonly isWaiting?: boolean | undefined;
  readonly error?: ErrorCode | Pick<ErrorData, 'code'> | undefined;
};

/**
 * Returns the state that users see. `goesOn`: whether the upload is known to be in progress and not waiting. Otherwise,
 * the states `signing` and `sending` are shown as queued: in the ledger, files of paused uploads and files that wait
 * for their next attempt also have these states.
 */
const shownState = (file: FileInState, goesOn: boolean): ShownState => {
  const { state, isWaiting = false } = file;
  if (isNameTaken(file)) return 'nameTaken';
  if (state !== 'signing' && state !== 'sending') return state;
  if (!goesOn) return 'queued';
  return isWaiting ? 'waiting' : state;
};

/** Returns a column of the states of files. `goesOn`: whether the upload is known to be in progress and not waiting. */
export const fileState = (goesOn: boolean): Column<FileInState> => ({
  id: 'State',
  header: 'uploads.files.state',
  width: '152px',
  cell: (file) => <FileStateText state={shownState(file, goesOn)} />,
  text: (file) => foundStateName(shownState(file, goesOn)),
});
