import { Button, Text } from '@fluentui/react-components';
import { removalText } from '../../domain/assignments/change-words.ts';
import { PendingChanges } from '../../domain/assignments/pending-changes.tsx';
import { Failure } from '../../domain/errors/failure.tsx';
import { useKnownFiles } from '../../queries/assignments.ts';
import { useApp, useDesk } from '../../state/context.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Part } from '../../ui/part.tsx';
import { t } from '../../words/words.ts';
import { KnownFileTable } from './known-file-table.tsx';
import { RejectedChange } from './rejected-change.tsx';
import { useChange } from './use-change.ts';

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
        <KnownFileTable files={files} busy={remove.busy} onRemove={remove.run} />
      )}
    </Part>
  );
};
