import { Button } from '@fluentui/react-components';
import { DocumentCheckmark20Regular } from '@fluentui/react-icons';
import { Suspense } from 'react';
import { type Batch, hasEnded } from '../../../contract/uploads.ts';
import { later } from '../../ui/later.ts';
import { useDialog } from '../../ui/use-dialog.ts';
import { t } from '../../words/words.ts';

const VerifyDialog = later(async () => (await import('./verify-dialog.tsx')).VerifyDialog);

/** Compares the files of an ended upload on this computer with what was uploaded. */
export const VerifyFiles = ({ batch }: { readonly batch: Batch }) => {
  const dialog = useDialog<Batch>();
  if (!hasEnded(batch) || batch.uploaded + batch.skipped === 0) return null;
  return (
    <>
      <Button
        size="small"
        icon={<DocumentCheckmark20Regular />}
        onClick={({ currentTarget }) => dialog.open(currentTarget, batch)}
      >
        {t('uploads.verify.action')}
      </Button>
      {dialog.about && (
        <Suspense>
          <VerifyDialog batch={batch} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
};
