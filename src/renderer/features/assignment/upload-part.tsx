import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { FolderArrowUp24Regular } from '@fluentui/react-icons';
import { ChooseButtons } from '../../domain/uploads/choose-buttons.tsx';
import { Part } from '../../ui/part.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  zone: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}`,
    padding: tokens.spacingHorizontalXL,
    border: `1px dashed ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusLarge,
    '& button': { flexShrink: 0 },
  },
  text: { flex: '1 1 240px' },
  icon: { color: tokens.colorNeutralForeground3 },
});

/** Where an upload to an assignment begins: folders or files are picked here, or dropped anywhere on the page. */
export const UploadPart = ({ AssignmentId }: { readonly AssignmentId: string }) => {
  const styles = useStyles();
  return (
    <Part title={t('assignment.upload.title')}>
      <div className={styles.zone}>
        <FolderArrowUp24Regular className={styles.icon} aria-hidden="true" />
        <Text className={styles.text}>{t('assignment.upload.drop')}</Text>
        <ChooseButtons
          folder={t('assignment.upload.choose')}
          files={t('assignment.upload.chooseFiles')}
          AssignmentId={AssignmentId}
        />
      </div>
    </Part>
  );
};
