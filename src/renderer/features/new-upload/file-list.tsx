import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { Document24Regular } from '@fluentui/react-icons';
import { useRef } from 'react';
import type { DraftFile, DraftRow } from '../../../contract/drafts.ts';
import { shownPath, visibleText } from '../../../contract/text.ts';
import { ErrorMessage } from '../../domain/errors.tsx';
import { useFileMenu } from '../../domain/uploads/files.tsx';
import { useCallQuery, useCalls, useWindowQuery } from '../../queries/query.tsx';
import { type Column, TwoLines } from '../../ui/data-table/columns.tsx';
import { DataTable, type TableHandle } from '../../ui/data-table/data-table.tsx';
import type { RowChecks } from '../../ui/data-table/use-picks.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { useDialog } from '../../ui/dialogs.tsx';
import { useLatest, useWindowEvent, useWithin } from '../../ui/hooks.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Loading } from '../../ui/page.tsx';
import { sideBySide, stacked } from '../../ui/styles.ts';
import { formatBytes } from '../../words/amounts.ts';
import { formatDay } from '../../words/dates.ts';
import { useMemoInWords } from '../../words/formats.ts';
import { keyOf, t } from '../../words/words.ts';

const useStyles = makeStyles({
  files: { ...stacked(tokens.spacingVerticalS), flex: '1 0 216px' },
  table: { display: 'flex', flexDirection: 'column', flex: '1 1 0', minHeight: 0 },
  file: { ...sideBySide(tokens.spacingHorizontalS), minWidth: 0 },
  name: { minWidth: 0, flexGrow: 1 },
  thumbnail: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    flexShrink: 0,
    width: '40px',
    height: '40px',
    color: tokens.colorNeutralForeground3,
  },
  picture: {
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    borderRadius: tokens.borderRadiusSmall,
  },
});

/**
 * Returns the state of a file in words; empty until the folder has been compared with its assignment, unless the file
 * is left out.
 */
const stateText = ({ state }: DraftFile, isCompared: boolean): string =>
  isCompared || state === 'left-out' ? t(`newUpload.files.state.${keyOf(state)}`) : '';

/**
 * Returns a text that says why the file is left out by default, why it is not opened as a folder, or that it is
 * downloaded first; empty if none of these applies.
 */
const noteText = ({ unwanted, unopened, inCloud = false }: DraftFile): string => {
  if (unwanted !== undefined) return t(`newUpload.files.why.${unwanted}`);
  if (unopened !== undefined) return t(`newUpload.files.unopened.${unopened}`);
  return inCloud ? t('newUpload.badge.in-cloud') : '';
};

const detailText = ({ sizeBytes, modifiedAtMs }: DraftFile): string =>
  [formatBytes(sizeBytes), formatDay(modifiedAtMs)].join(' · ');

/** How long a row has to be in view before its file is read, so that files that are only scrolled past are not read. */
const LOOK_MS = 200;

const mayBePicture = ({ path, inCloud = false }: DraftFile): boolean => !inCloud && /\.(jpe?g|png)$/i.test(path);

const Thumbnail = ({ rowId, file }: { readonly rowId: number; readonly file: DraftFile }) => {
  const styles = useStyles();
  const isAsked = useWithin(undefined, LOOK_MS, true) === true;
  const picture = usePreview({ rowId, path: file.path, isSmall: true }, mayBePicture(file) && isAsked).value?.picture;
  return (
    <span className={styles.thumbnail} aria-hidden>
      {picture === undefined ? (
        <Document24Regular />
      ) : (
        <img className={styles.picture} src={picture} alt="" decoding="async" />
      )}
    </span>
  );
};

type FileNameProps = { readonly rowId: number; readonly file: DraftFile; readonly status: string };

const FileName = ({ rowId, file, status }: FileNameProps) => {
  const styles = useStyles();
  const detail = [status, detailText(file)].filter(Boolean).join(' · ');
  return (
    <span className={styles.file}>
      <Thumbnail key={file.path} rowId={rowId} file={file} />
      <span className={styles.name}>
        <TwoLines
          first={<MiddleCut name={visibleText(shownPath(file.path))} />}
          second={<span title={detail}>{detail}</span>}
        />
      </span>
    </span>
  );
};

const statusText = (file: DraftFile, isCompared: boolean): string =>
  [stateText(file, isCompared), noteText(file)].filter(Boolean).join(' · ');

// The panel is too narrow for a second column: the names of files would be cut to a few letters.
const columnsOf = (rowId: number, isCompared: boolean): readonly Column<DraftFile>[] => [
  {
    id: 'File',
    header: 'common.file',
    cell: (file) => <FileName rowId={rowId} file={file} status={statusText(file, isCompared)} />,
    text: ({ path }) => shownPath(path),
  },
  { id: 'Status', header: 'uploads.files.state', rare: true, cell: (file) => statusText(file, isCompared) },
];

type FileListProps = {
  readonly row: DraftRow;
  /** Called to include or leave out the files `paths`; without `paths`, all files of the row. */
  readonly onIncludeFiles: (isIncluded: boolean, paths?: readonly string[]) => void;
};

/**
 * Lists the files of a folder and what happens to each, with a checkbox that includes the file or leaves it out. Enter
 * or a click shows a large view of a file.
 */
export const FileList = ({ row: { rowId, choice, isComparing, leftOut }, onIncludeFiles }: FileListProps) => {
  const styles = useStyles();
  const found = useWindowQuery('files', ({ drafts }, window) => drafts.files({ rowId, ...window }));
  const isCompared = choice === 'assignment' && isComparing !== true;
  const columns = useMemoInWords(() => columnsOf(rowId, isCompared), [rowId, isCompared]);
  const include = useLatest(onIncludeFiles);
  const menu = useFileMenu(({ path }: DraftFile) => ({ rowId, path }));
  const table = useRef<TableHandle>(null);
  const { about: shown, open: show, close } = useDialog<number>();
  const { count = 0, rowAt } = found;
  const stepTo = (index: number): (() => void) | undefined =>
    index < 0 || index >= count
      ? undefined
      : () => {
          show(null, index);
          table.current?.show(index);
        };
  const open = useLatest((_: DraftFile, index: number): void => stepTo(index)?.());
  const file = shown === undefined ? undefined : rowAt(shown);
  const checks = useMemoInWords<RowChecks<DraftFile>>(
    () => ({
      heading: t('newUpload.row.part'),
      has: ({ state }) => state !== 'left-out',
      toggle: ({ path, state }) => include(state === 'left-out', [path]),
      rowLabel: ({ path }) => t('newUpload.files.upload', { file: visibleText(shownPath(path)) }),
    }),
    [include],
  );
  return (
    <section className={styles.files} aria-label={t('common.files')}>
      {leftOut.files > 0 && (
        <div>
          <Button
            size="small"
            onClick={() => {
              // The focused button disappears, so the focus moves to the table.
              table.current?.focus();
              onIncludeFiles(true);
            }}
          >
            {t('newUpload.files.includeAll', { count: leftOut.files })}
          </Button>
        </div>
      )}
      <div className={styles.table}>
        <DataTable
          rows={found}
          loading={t('common.loadingFiles')}
          id="new-upload-files"
          label={t('common.files')}
          columns={columns}
          fits
          hasTwoLines
          checks={checks}
          rowKey={({ path }) => path}
          open={open}
          menu={menu}
          handle={table}
        />
      </div>
      {shown !== undefined && (
        <FilePreview
          rowId={rowId}
          file={file}
          next={rowAt(shown + 1)}
          details={file ? detailText(file) : ''}
          onPrevious={stepTo(shown - 1)}
          onNext={stepTo(shown + 1)}
          onClose={() => {
            close();
            table.current?.focus(shown);
          }}
        />
      )}
    </section>
  );
};

const useShownStyles = makeStyles({
  // The content has the same height with a picture and without one, so that the buttons do not move.
  content: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    height: 'min(60vh, 640px)',
  },
  picture: { maxWidth: '100%', maxHeight: '100%', objectFit: 'contain' },
  document: { width: '100%', height: '100%', border: `1px solid ${tokens.colorNeutralStroke1}` },
});

type FilePreviewProps = {
  readonly rowId: number;
  readonly file: DraftFile | undefined;
  readonly next: DraftFile | undefined;
  readonly details: string;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  readonly onClose: () => void;
};

/** A dialog with a large view of a file. The left and right arrow keys show the previous and the next file. */
const FilePreview = ({ rowId, file, next, details, onPrevious, onNext, onClose }: FilePreviewProps) => {
  useWindowEvent('keydown', ({ key, altKey, ctrlKey, metaKey, shiftKey }) => {
    // With Alt, an arrow key goes back or forward elsewhere.
    if (altKey || ctrlKey || metaKey || shiftKey) return;
    if (key === 'ArrowLeft') onPrevious?.();
    if (key === 'ArrowRight') onNext?.();
  });
  return (
    <DialogFrame
      isWide
      title={visibleText(shownPath(file?.path ?? ''))}
      onClose={onClose}
      close={false}
      actions={
        <>
          <Button disabledFocusable={!onPrevious} onClick={onPrevious}>
            {t('newUpload.files.preview.previous')}
          </Button>
          <Button disabledFocusable={!onNext} onClick={onNext}>
            {t('newUpload.files.preview.next')}
          </Button>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <Text>{details}</Text>
      {file && <Shown key={file.path} rowId={rowId} path={file.path} next={next} />}
    </DialogFrame>
  );
};

/** How long a picture stays in memory after it has left the view. The time is short, because pictures are large. */
const PICTURE_KEPT_MS = 5_000;

type Previewed = { readonly rowId: number; readonly path: string; readonly isSmall?: boolean };

const usePreview = (of: Previewed, isAsked: boolean) =>
  useCallQuery({
    ...useCalls().drafts.preview(of),
    enabled: isAsked,
    placeholderData: () => undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: PICTURE_KEPT_MS,
  });

type ShownProps = { readonly rowId: number; readonly path: string; readonly next: DraftFile | undefined };

/** Shows a file. Once it is there, the picture `next` is read, because a user often looks at all pictures in order. */
const Shown = ({ rowId, path, next }: ShownProps) => {
  const styles = useShownStyles();
  const { value, error } = usePreview({ rowId, path }, true);
  const isNextAsked = value !== undefined && next !== undefined && mayBePicture(next);
  usePreview({ rowId, path: isNextAsked ? next.path : path }, isNextAsked);
  return (
    <div className={styles.content}>
      {error !== undefined ? (
        <ErrorMessage error={error} />
      ) : value === undefined ? (
        <Loading label={t('newUpload.files.preview.loading')} />
      ) : value.picture !== undefined ? (
        <img className={styles.picture} src={value.picture} alt={visibleText(shownPath(path))} />
      ) : value.document !== undefined ? (
        <iframe className={styles.document} src={value.document} title={visibleText(shownPath(path))} />
      ) : (
        <Text>{t('newUpload.files.preview.none')}</Text>
      )}
    </div>
  );
};
