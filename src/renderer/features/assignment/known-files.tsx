import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { Delete20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { KnownFile } from '../../../contract/uploads.ts';
import { removalText } from '../../domain/assignments/change-words.ts';
import { PendingChanges } from '../../domain/assignments/pending-changes.tsx';
import { RemoveMany } from '../../domain/assignments/remove-many.tsx';
import { Failure } from '../../domain/errors/failure.tsx';
import { useKnownFiles } from '../../queries/assignments.ts';
import { useApp, useDesk } from '../../state/context.tsx';
import { useReport } from '../../state/use-report.ts';
import { useSelection } from '../../ui/data-table/use-selection.ts';
import { Loading } from '../../ui/loading.tsx';
import { Part } from '../../ui/part.tsx';
import { formatCount } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';
import { KnownFileTable } from './known-file-table.tsx';
import { RejectedChange } from './rejected-change.tsx';
import { useChange } from './use-change.ts';

const useStyles = makeStyles({
  bar: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
});

/** The files that this app knows to be on an assignment, which can be removed. */
export const KnownFiles = ({ id, title }: { readonly id: string; readonly title: string }) => {
  const open = useApp((state) => state.open);
  const desk = useDesk();
  const { value: files, error, reload } = useKnownFiles(id);
  const remove = useChange((Key: string) => desk.assignments.removeFile({ AssignmentId: id, Key }));
  return (
    <Part
      title={t('assignment.files.title')}
      actions={
        <>
          {files && <Text>{t('count.file', { count: files.length })}</Text>}
          <Button size="small" onClick={() => open({ name: 'files', assignment: { AssignmentId: id, title } })}>
            {t('files.ofAssignment')}
          </Button>
        </>
      }
    >
      <Text>{t('assignment.files.explained')}</Text>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {error === undefined && files === undefined && <Loading label={t('assignment.files.loading')} lines={3} />}
      <RejectedChange action={remove} describe={(Key) => removalText(Key, files)} />
      <PendingChanges id={id} kind="remove-file" files={files} />
      {files !== undefined && files.length > 0 && (
        <SelectableFiles id={id} files={files} busy={remove.busy} onRemove={remove.run} />
      )}
    </Part>
  );
};

type SelectableFilesProps = {
  readonly id: string;
  readonly files: readonly KnownFile[];
  readonly busy: boolean;
  readonly onRemove: (Key: string) => void;
};

/** The known files, of which several can be removed at once. */
const SelectableFiles = ({ id, files, busy, onRemove }: SelectableFilesProps) => {
  const styles = useStyles();
  // A selection knows numbers, which stay the same while other files come and go.
  const [numbers] = useState(() => new Map<string, number>());
  const numberOf = ({ Key }: KnownFile): number => {
    const number = numbers.get(Key) ?? numbers.size;
    numbers.set(Key, number);
    return number;
  };
  const selection = useSelection<KnownFile>({
    read: async (offset, limit) => ({ rows: files.slice(offset, offset + limit) }),
    idOf: numberOf,
    total: files.length,
    onError: useReport(),
    rowLabel: ({ FileName }) => t('assignment.files.select', { name: FileName }),
    allLabel: t('assignment.files.selectAll'),
  });
  const selected = files.filter(selection.has);
  return (
    <>
      <div className={styles.bar}>
        <RemoveMany
          trigger={
            <Button size="small" icon={<Delete20Regular />} disabledFocusable={selected.length === 0}>
              {t('assignment.files.removeSelected')}
            </Button>
          }
          files={selected.length}
          bytes={selected.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0)}
          names={selected.map(nameWithFolder)}
          what={{ AssignmentId: id, Keys: selected.map(({ Key }) => Key) }}
          onBegun={selection.none}
        />
        <span role="status">
          {t('uploads.files.selected', { count: selected.length, total: formatCount(files.length) })}
        </span>
      </div>
      <KnownFileTable files={files} busy={busy} onRemove={onRemove} selection={selection} />
    </>
  );
};

/** Files of one name are told apart by their folders. */
const nameWithFolder = ({ FileName, folder }: KnownFile): string =>
  folder === undefined ? FileName : `${folder}/${FileName}`;
