import { Button } from '@fluentui/react-components';
import { DocumentCheckmark20Regular } from '@fluentui/react-icons';
import { Suspense, useState } from 'react';
import type { Batch } from '../../../contract/batches.ts';
import { hasEnded } from '../../domain/uploads/batch-words.ts';
import { closeDialog } from '../../ui/close-dialog.ts';
import { later } from '../../ui/later.ts';
import { t } from '../../words/words.ts';

const VerifyDialog = later(async () => (await import('./verify-dialog.tsx')).VerifyDialog);

/** Has the files of an upload that has ended read again, and compared with what arrived. */
export const VerifyFiles = ({ batch }: { readonly batch: Batch }) => {
  /** The button, while the dialog is open. */
  const [asker, setAsker] = useState<HTMLElement>();
  const close = (): void => closeDialog(() => setAsker(undefined), asker);
  if (!hasEnded(batch) || batch.uploaded + batch.skipped === 0) return null;
  return (
    <>
      <Button
        size="small"
        icon={<DocumentCheckmark20Regular />}
        onClick={({ currentTarget }) => setAsker(currentTarget)}
      >
        {t('uploads.verify.action')}
      </Button>
      {asker !== undefined && (
        <Suspense>
          <VerifyDialog batch={batch} onClose={close} />
        </Suspense>
      )}
    </>
  );
};
