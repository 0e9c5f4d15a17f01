import { Text } from '@fluentui/react-components';
import { useCallback, useEffect, useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { KnownFile } from '../../../contract/models.ts';
import { useDesk, useSnapshot } from '../../app/context.tsx';
import { Failure } from '../../app/failure.tsx';
import { useAction } from '../../app/use-action.ts';
import { counted } from '../../ui/amounts.ts';
import { Loading } from '../../ui/loading.tsx';
import { Part } from '../../ui/part.tsx';
import { useLater } from '../../ui/use-later.ts';
import { KnownFileTable } from './known-file-table.tsx';

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
  // Each upload that arrives adds a known file.
  useEffect(() => {
    void load();
  }, [load, settled]);
  const remove = useAction(async (Key: string) => {
    await desk.assignments.removeFile({ AssignmentId: id, Key });
    await load();
  });
  return (
    <Part title="Known files" actions={files && <Text>{counted(files.length, 'file')}</Text>}>
      <Text>
        The service does not list the files of an assignment. Known are those uploaded from this computer and those the
        service named when a file was removed.
      </Text>
      {error !== undefined && files === undefined && <Failure error={error} onRetry={load} />}
      {error === undefined && files === undefined && <Loading label="Loading known files" lines={3} />}
      {files !== undefined && files.length > 0 && (
        <KnownFileTable files={files} busy={remove.busy} onRemove={remove.run} />
      )}
    </Part>
  );
};
