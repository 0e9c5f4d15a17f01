import { Button } from '@fluentui/react-components';
import { DocumentCheckmark20Regular } from '@fluentui/react-icons';
import { Suspense, useState } from 'react';
import { type Batch, hasEnded } from '../../../contract/batches.ts';
import { closeDialog } from '../../ui/close-dialog.ts';
import { later } from '../../ui/later.ts';
import { t } from '../../words/words.ts';

const VerifyDialog = later(async () => (await import('./verify-dialog.tsx')).VerifyDialog);

/** Compares the files of an ended upload on this computer with what was uploaded. */
export const VerifyFiles = ({ batch }: { readonly batch: Batch }) => {
  /** The button, while the dialog is open. */
  const [opener, setOpener] = useState<HTMLElement>();
  const close = (): void => closeDialog(() => setOpener(undefined), opener);
  if (!hasEnded(batch) || batch.uploaded + batch.skipped === 0) return null;
  return (
    <>
      <Button
        size="small"
        icon={<DocumentCheckmark20Regular />}
        onClick={({ currentTarget }) => setOpener(currentTarget)}
      >
        {t('uploads.verify.action')}
      </Button>
      {opener !== undefined && (
        <Suspense>
          <VerifyDialog batch={batch} onClose={close} />
        </Suspense>
      )}
    </>
  );
};
