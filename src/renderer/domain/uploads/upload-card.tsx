import { Link, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useApp } from '../../state/context.tsx';
import { useCardStyles } from '../../ui/use-card-styles.ts';
import { t } from '../../words/words.ts';
import { BatchActions } from './batch-actions.tsx';
import { BatchProgress } from './batch-progress.tsx';
import { begunText, folderName, targetName } from './batch-words.ts';
import { useFileMenu } from './use-file-menu.ts';
import { folderNames, progressOfUpload, type Upload, uploadText } from './whole-upload.ts';

const useStyles = makeStyles({
  name: { fontWeight: tokens.fontWeightSemibold },
});

/** One upload in a list of uploads. */
export const UploadCard = ({ upload }: { readonly upload: Upload }) => {
  const card = useCardStyles();
  const styles = useStyles();
  const { uploadId, batches, whole } = upload;
  const menu = useFileMenu();
  const [only, ...others] = batches;
  const open = useApp((state) => state.open);
  const assignment = useApp((state) => state.assignments[whole.AssignmentId]);
  const targets = new Set(batches.map(({ AssignmentId }) => AssignmentId)).size;
  const target =
    targets === 1 ? targetName(batches[0] ?? whole, assignment) : t('count.assignment', { count: targets });
  const parts = [t('uploads.to', { assignment: target }), begunText(whole)];
  return (
    <li
      className={card.card}
      onContextMenu={
        menu && only && others.length === 0 ? (event) => menu({ batchId: only.batchId }, event) : undefined
      }
    >
      <div className={card.header}>
        <div className={card.title}>
          <Link as="button" className={styles.name} onClick={() => open({ name: 'upload', upload: uploadId })}>
            {folderName(whole.root)}
          </Link>
          <Text size={200} className={card.minor} title={target}>
            {(batches.length === 1 ? parts : [folderNames(batches), ...parts]).join(' · ')}
          </Text>
        </div>
        <BatchActions batch={whole} upload={batches.length === 1 ? undefined : uploadId} />
      </div>
      <BatchProgress batch={whole} progress={progressOfUpload(upload)} text={uploadText(upload)} />
    </li>
  );
};
