import { Button, Field, Select, Text } from '@fluentui/react-components';
import { Delete20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { type Batch, isActive } from '../../../contract/uploads.ts';
import { removalExplained } from '../../domain/assignments/remove-many.tsx';
import { Failure } from '../../domain/errors/failure.tsx';
import { useRemovable } from '../../queries/files.ts';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { formatBytes } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';

/** Removes the uploaded files of an upload from its assignment: all of them, or those of one folder. */
export const RemoveFiles = ({ batch }: { readonly batch: Batch }) => {
  const dialog = useDialog<Batch>();
  return (
    <>
      <Button
        size="small"
        icon={<Delete20Regular />}
        disabledFocusable={batch.uploaded === (batch.removed ?? 0) || isActive(batch)}
        onClick={({ currentTarget }) => dialog.open(currentTarget, batch)}
      >
        {t('uploads.action.remove')}
      </Button>
      {dialog.about && <WhichFiles batchId={dialog.about.batchId} onClose={dialog.close} />}
    </>
  );
};

type WhichFilesProps = { readonly batchId: string; readonly onClose: () => void };

const WhichFiles = ({ batchId, onClose }: WhichFilesProps) => {
  const { value: folders, error, reload } = useRemovable(batchId);
  const [folder, setFolder] = useState('');
  const desk = useDesk();
  const remove = useAction(async () => {
    await desk.files.remove({ batchId, folder });
    onClose();
  });
  const chosen = folders?.find((one) => one.folder === folder);
  return (
    <DialogFrame
      title={t('uploads.action.remove')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button appearance="primary" disabledFocusable={!chosen || remove.busy} onClick={() => remove.run()}>
            {t('assignment.change.removeFiles', { count: chosen?.files ?? 0 })}
          </Button>
        </>
      }
    >
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {error === undefined && folders === undefined && <Loading label={t('uploads.files.loading')} lines={2} />}
      {folders?.length === 0 && <Text>{t('uploads.action.removeNone')}</Text>}
      {folders !== undefined && folders.length > 0 && (
        <Field label={t('uploads.action.removeWhich')}>
          <Select value={folder} onChange={(_, { value }) => setFolder(value)}>
            {folders.map((one) => (
              <option key={one.folder} value={one.folder}>
                {[
                  one.folder || t('uploads.action.removeAll'),
                  t('count.file', { count: one.files }),
                  formatBytes(one.bytes),
                ].join(' · ')}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {chosen && <Text>{removalExplained(chosen)}</Text>}
    </DialogFrame>
  );
};
