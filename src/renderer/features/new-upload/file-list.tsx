import { Button, makeStyles, tokens } from '@fluentui/react-components';
import type { DraftFile, DraftRow } from '../../../contract/drafts.ts';
import { visibleText } from '../../../contract/text.ts';
import { WindowTable } from '../../domain/window-table.tsx';
import { useDraftFiles } from '../../queries/drafts.ts';
import { TwoLines } from '../../ui/data-table/cells.tsx';
import type { Column } from '../../ui/data-table/columns.tsx';
import { TableBox } from '../../ui/data-table/data-table.tsx';
import type { RowChecks } from '../../ui/data-table/use-picks.tsx';
import { useLatest } from '../../ui/hooks.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { stacked } from '../../ui/styles.ts';
import { formatBytes } from '../../words/amounts.ts';
import { formatDay } from '../../words/dates.ts';
import { useMemoInWords } from '../../words/formats.ts';
import { keyOf, t } from '../../words/words.ts';

const ROW_PX = 52;
/** The header and six rows. */
const MAX_HEIGHT = 36 + 6 * ROW_PX;

const useStyles = makeStyles({
  files: stacked(tokens.spacingVerticalS),
  heading: { margin: 0, fontSize: tokens.fontSizeBase300 },
});

/** What would happen to a file; empty until its folder has been compared with its assignment. */
const stateText = ({ state }: DraftFile, isCompared: boolean): string =>
  isCompared || state === 'left-out' ? t(`newUpload.files.state.${keyOf(state)}`) : '';

/** Why it is left out unless the user includes it, or that it is downloaded first. */
const noteText = ({ unwanted, inCloud = false }: DraftFile): string =>
  unwanted === undefined ? (inCloud ? t('newUpload.badge.in-cloud') : '') : t(`newUpload.files.why.${unwanted}`);

const detailText = ({ sizeBytes, modifiedAtMs }: DraftFile): string =>
  [formatBytes(sizeBytes), formatDay(modifiedAtMs)].join(' · ');

const columnsOf = (isCompared: boolean): readonly Column<DraftFile>[] => [
  {
    id: 'File',
    header: () => t('newUpload.files.file'),
    cell: (file) => <TwoLines first={<MiddleCut name={visibleText(file.path)} />} second={detailText(file)} />,
    text: ({ path }) => path,
  },
  {
    id: 'Status',
    header: () => t('newUpload.files.status'),
    width: '38%',
    cell: (file) => {
      const [state, note] = [stateText(file, isCompared), noteText(file)];
      return <TwoLines first={state} second={note} title={[state, note].filter(Boolean).join('\n')} />;
    },
    text: (file) => [stateText(file, isCompared), noteText(file)].filter(Boolean).join(', '),
  },
];

type FileListProps = {
  readonly row: DraftRow;
  /** Without paths: all files of the row. */
  readonly onTake: (takes: boolean, paths?: readonly string[]) => void;
};

/** The files of a folder, what happens to each, and a box to leave it out or to include it. */
export const FileList = ({ row: { rowId, choice, isComparing, leftOut }, onTake }: FileListProps) => {
  const styles = useStyles();
  const found = useDraftFiles(rowId);
  const isCompared = choice === 'assignment' && isComparing !== true;
  const columns = useMemoInWords(() => columnsOf(isCompared), [isCompared]);
  const take = useLatest(onTake);
  const checks = useMemoInWords<RowChecks<DraftFile>>(
    () => ({
      heading: t('newUpload.row.part'),
      has: ({ state }) => state !== 'left-out',
      toggle: ({ path, state }) => take(state === 'left-out', [path]),
      rowLabel: ({ path }) => t('newUpload.files.take', { file: visibleText(path) }),
    }),
    [take],
  );
  return (
    <section className={styles.files} aria-label={t('newUpload.files.title')}>
      <h3 className={styles.heading}>{t('newUpload.files.title')}</h3>
      {leftOut.files > 0 && (
        <div>
          <Button size="small" onClick={() => onTake(true)}>
            {t('newUpload.files.takeAll', { count: leftOut.files })}
          </Button>
        </div>
      )}
      <TableBox rows={found.held?.total ?? 1} rowHeight={ROW_PX} maxHeight={MAX_HEIGHT} isInDialog>
        <WindowTable
          found={found}
          loading={t('newUpload.files.loading')}
          id="new-upload-files"
          label={t('newUpload.files.title')}
          columns={columns}
          rowHeight={ROW_PX}
          checks={checks}
          rowKey={({ path }) => path}
        />
      </TableBox>
    </section>
  );
};
