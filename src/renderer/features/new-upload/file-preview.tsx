import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { DraftFile } from '../../../contract/drafts.ts';
import { shownPath, visibleText } from '../../../contract/text.ts';
import { ErrorMessage } from '../../domain/errors.tsx';
import { useDraftPreview } from '../../queries/drafts.ts';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { useWindowEvent } from '../../ui/hooks.ts';
import { Loading } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  // As high with a picture as without one, so that the buttons stay where they are.
  content: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    height: 'min(60vh, 640px)',
  },
  picture: { maxWidth: '100%', maxHeight: '100%', objectFit: 'contain' },
  document: { width: '100%', height: '100%', border: `1px solid ${tokens.colorNeutralStroke1}` },
});

type FilePreviewProps = {
  readonly rowId: number;
  /** Undefined while it is loading. */
  readonly file: DraftFile | undefined;
  readonly details: string;
  /** Shows the file before or after this one; undefined if there is none. */
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  readonly onClose: () => void;
};

/** A file in large. The arrow keys lead to the others. */
export const FilePreview = ({ rowId, file, details, onPrevious, onNext, onClose }: FilePreviewProps) => {
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'ArrowLeft') onPrevious?.();
    if (key === 'ArrowRight') onNext?.();
  });
  return (
    <DialogFrame
      isWide
      title={visibleText(shownPath(file?.path ?? ''))}
      onClose={onClose}
      actions={
        <>
          <Button disabledFocusable={!onPrevious} onClick={onPrevious}>
            {t('newUpload.files.preview.previous')}
          </Button>
          <Button disabledFocusable={!onNext} onClick={onNext}>
            {t('newUpload.files.preview.next')}
          </Button>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <Text>{details}</Text>
      {file && <Shown key={file.path} rowId={rowId} path={file.path} />}
    </DialogFrame>
  );
};

const Shown = ({ rowId, path }: { readonly rowId: number; readonly path: string }) => {
  const styles = useStyles();
  const { value, error } = useDraftPreview({ rowId, path }, true);
  return (
    <div className={styles.content}>
      {error !== undefined ? (
        <ErrorMessage error={error} />
      ) : value === undefined ? (
        <Loading label={t('newUpload.files.preview.loading')} />
      ) : value.picture !== undefined ? (
        <img className={styles.picture} src={value.picture} alt={visibleText(shownPath(path))} />
      ) : value.document !== undefined ? (
        <iframe className={styles.document} src={value.document} title={visibleText(shownPath(path))} />
      ) : (
        <Text>{t('newUpload.files.preview.none')}</Text>
      )}
    </div>
  );
};
