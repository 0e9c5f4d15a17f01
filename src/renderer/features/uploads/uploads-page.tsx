import { Button } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons';
import { useApp } from '../../state/context.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { t } from '../../words/words.ts';
import { UploadList } from './upload-list.tsx';
import { WaitingDraft } from './waiting-draft.tsx';

/** All uploads from this computer. */
export const UploadsPage = () => {
  const open = useApp((state) => state.open);
  return (
    <Page
      title={t('uploads.title')}
      actions={
        <>
          <Button onClick={() => open({ name: 'watched-folders' })}>{t('watched.title')}</Button>
          <Button appearance="primary" icon={<Add20Regular />} onClick={() => open({ name: 'new-upload' })}>
            {t('newUpload.title')}
          </Button>
        </>
      }
    >
      <PageBody>
        <WaitingDraft />
        <UploadList />
      </PageBody>
    </Page>
  );
};
