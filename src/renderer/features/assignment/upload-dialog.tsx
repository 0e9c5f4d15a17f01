import { Button, Field, makeStyles, Select, Text, tokens } from '@fluentui/react-components';
import { NameTemplate, ownNameTemplate } from '../../../contract/names.ts';
import type { Folder } from '../../../contract/upload-preview.ts';
import { StatusBadge } from '../../domain/assignments/status-badge.tsx';
import { errorSentences } from '../../domain/errors/error-words.ts';
import { nameTemplates } from '../../domain/uploads/name-templates.ts';
import { useUploadPreview } from '../../queries/uploads.ts';
import { useRemembered } from '../../state/use-remembered.ts';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { lines } from '../../ui/lines.ts';
import { Loading } from '../../ui/loading.tsx';
import { MessageBar } from '../../ui/message-bar.tsx';
import { t } from '../../words/words.ts';
import { RenameList } from './rename-list.tsx';
import { previewText } from './upload-preview.ts';
import { useDoubtTexts } from './use-doubt-texts.ts';

type UploadDialogProps = {
  /** The assignment that the folders go to. */
  readonly id: string;
  readonly folders: readonly Folder[];
  /** Its status; absent if the assignment was never read. */
  readonly status: string | undefined;
  /** Its name. */
  readonly target: string;
  readonly busy: boolean;
  readonly onUpload: (nameTemplate: NameTemplate) => void;
  readonly onClose: () => void;
};

const useStyles = makeStyles({
  to: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
  target: lines(2),
  field: { gridTemplateColumns: 'minmax(0, 1fr)' },
});

/** Shows before an upload what it would send, under which names. The upload can start before that is known. */
export const UploadDialog = ({ id, status, folders, target, busy, onUpload, onClose }: UploadDialogProps) => {
  const styles = useStyles();
  const [template = ownNameTemplate, setTemplate] = useRemembered('upload.names', NameTemplate);
  const { value: preview, error } = useUploadPreview(
    id,
    folders.map(({ folderId }) => folderId),
    template,
  );
  const doubts = useDoubtTexts(id, folders);
  const [first] = folders;
  const title =
    folders.length === 1 && first
      ? t('assignment.upload.one', { folder: first.name })
      : t('assignment.upload.several', { count: folders.length });
  return (
    <DialogFrame
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            appearance="primary"
            disabledFocusable={busy || error !== undefined || preview?.files === 0 || doubts === undefined}
            onClick={() => onUpload(template)}
          >
            {doubts?.length ? t('assignment.upload.anyway') : t('assignment.upload.start')}
          </Button>
        </>
      }
    >
      <div className={styles.to}>
        <Text className={styles.target} title={target}>
          {t('uploads.to', { assignment: target })}
        </Text>
        {status !== undefined && <StatusBadge status={status} />}
      </div>
      {doubts?.map(({ title, text }) => (
        <div key={`${title} ${text}`} role="alert">
          <MessageBar intent="warning" title={title}>
            {text}
          </MessageBar>
        </div>
      ))}
      <Field
        className={styles.field}
        label={t('assignment.upload.names.label')}
        hint={t('assignment.upload.names.hint')}
      >
        <Select value={template} onChange={(_, { value }) => setTemplate(value)}>
          {nameTemplates.map(({ template: value, name }) => (
            <option key={value} value={value}>
              {name()}
            </option>
          ))}
        </Select>
      </Field>
      {preview === undefined && error === undefined && <Loading label={t('assignment.upload.reading')} lines={1} />}
      <Text role="status">
        {preview && previewText(preview)}
        {error && errorSentences(error)}
      </Text>
      {preview && <RenameList {...preview} />}
    </DialogFrame>
  );
};
