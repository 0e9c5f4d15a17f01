import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { FolderArrowUp48Regular } from '@fluentui/react-icons';
import { ChooseButtons } from '../../domain/uploads/choose-buttons.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  zone: {
    flex: '1 0 auto',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: tokens.spacingVerticalM,
    padding: tokens.spacingHorizontalXXL,
    border: `1px dashed ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusLarge,
    textAlign: 'center',
  },
  icon: { color: tokens.colorBrandForeground1 },
  explained: { maxWidth: '520px', color: tokens.colorNeutralForeground2 },
  buttons: { display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: tokens.spacingHorizontalM },
});

/** The first step: what to upload. The whole page takes what is dropped. */
export const ChooseFolders = () => {
  const styles = useStyles();
  return (
    <PageBody>
      <div className={styles.zone}>
        <FolderArrowUp48Regular className={styles.icon} aria-hidden="true" />
        <Text size={500} weight="semibold">
          {t('newUpload.choose.title')}
        </Text>
        <Text className={styles.explained} align="center">
          {t('newUpload.choose.explained')}
        </Text>
        <div className={styles.buttons}>
          <ChooseButtons folder={t('newUpload.choose.folder')} files={t('newUpload.choose.files')} />
        </div>
      </div>
    </PageBody>
  );
};
