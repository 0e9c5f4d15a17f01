import { Text } from '@fluentui/react-components';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { KnownFile } from '../../../contract/upload-files.ts';
import { removalText } from '../../domain/assignments/change-words.ts';
import { WaitingChanges } from '../../domain/assignments/waiting-changes.tsx';
import { Failure } from '../../domain/errors/failure.tsx';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Part } from '../../ui/part.tsx';
import { useLater } from '../../ui/use-later.ts';
import { t } from '../../words/words.ts';
import { KnownFileTable } from './known-file-table.tsx';
import { RefusedChange } from './refused-change.tsx';
import { useChange } from './use-change.ts';

/** The files that this app knows to be on an assignment, and their removal. */
export const KnownFiles = ({ id }: { readonly id: string }) => {
  const desk = useDesk();
  const [files, setFiles] = useState<readonly KnownFile[]>();
  const [error, setError] = useState<ErrorData>();
  const uploaded = useSnapshot(({ batches }) =>
    batches.reduce((sum, batch) => sum + (batch.AssignmentId === id ? batch.uploaded : 0), 0),
  );
  const settled = useLater(uploaded, 500);
  const load = useCallback(async () => {
    try {
      setFiles(await desk.assignments.knownFiles({ AssignmentId: id }));
      setError(undefined);
    } catch (reason) {
      setError(toErrorData(reason));
    }
  }, [desk, id]);
  useEffect(() => {
    void load();
  }, [load]);
  // Each upload that arrives adds a known file.
  const seen = useRef(settled);
  useEffect(() => {
    if (seen.current === settled) return;
    seen.current = settled;
    void load();
  }, [load, settled]);
  const remove = useChange(async (Key: string) => {
    await desk.assignments.removeFile({ AssignmentId: id, Key });
    await load();
  });
  return (
    <Part
      title={t('assignment.files.title')}
      actions={files && <Text>{t('count.file', { count: files.length })}</Text>}
    >
      <Text>{t('assignment.files.explained')}</Text>
      {error !== undefined && files === undefined && <Failure error={error} onRetry={load} />}
      {error === undefined && files === undefined && <Loading label={t('assignment.files.loading')} lines={3} />}
      <RefusedChange action={remove} describe={(Key) => removalText(Key, files)} />
      <WaitingChanges id={id} kind="remove-file" files={files} />
      {files !== undefined && files.length > 0 && (
        <KnownFileTable files={files} busy={remove.busy} onRemove={remove.run} />
      )}
    </Part>
  );
};
