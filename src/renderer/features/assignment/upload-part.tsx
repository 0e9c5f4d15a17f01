import { Button, makeStyles, mergeClasses, Spinner, Text, tokens } from '@fluentui/react-components';
import { FolderArrowUp24Regular } from '@fluentui/react-icons';
import { Suspense, useRef, useState } from 'react';
import type { NameTemplate } from '../../../contract/names.ts';
import type { Folder } from '../../../contract/upload-preview.ts';
import { useApp, useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { closeDialog } from '../../ui/close-dialog.ts';
import { FileInput } from '../../ui/file-input.tsx';
import { later } from '../../ui/later.ts';
import { Part } from '../../ui/part.tsx';
import { useDropZone } from '../../ui/use-drop-zone.ts';
import { t } from '../../words/words.ts';

const UploadDialog = later(async () => (await import('./upload-dialog.tsx')).UploadDialog);

const useStyles = makeStyles({
  zone: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}`,
    padding: tokens.spacingHorizontalXL,
    border: `1px dashed ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusLarge,
  },
  over: {
    outline: `2px solid ${tokens.colorCompoundBrandStroke}`,
    backgroundColor: tokens.colorBrandBackground2,
  },
  text: { flex: '1 1 240px' },
  button: { flexShrink: 0 },
  icon: { color: tokens.colorNeutralForeground3 },
});

type UploadPartProps = {
  readonly id: string;
  /** The status of the assignment; absent if it was never read. */
  readonly status: string | undefined;
  /** The name of the assignment. */
  readonly target: string;
};

/** Uploads to an assignment: folders or files are picked or dropped here, then confirmed in a dialog. */
export const UploadPart = ({ id, status, target }: UploadPartProps) => {
  const styles = useStyles();
  const desk = useDesk();
  const open = useApp((state) => state.open);
  const addBatch = useApp((state) => state.addBatch);

  const [folders, setFolders] = useState<readonly Folder[]>([]);
  const zone = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  /** The button that was pressed last. */
  const opener = useRef<HTMLElement>(null);
  const close = (): void => closeDialog(() => setFolders([]), opener.current ?? zone.current?.querySelector('button'));

  const upload = useAction(async (nameTemplate: NameTemplate) => {
    const uploadId = crypto.randomUUID();
    for (const { folderId } of folders) {
      const batch = await desk.uploads.start({ folderId, AssignmentId: id, nameTemplate, uploadId });
      addBatch(batch);
    }
    close();
    open({ name: 'upload', upload: uploadId });
  });
  const pick = useAction(async () => {
    const folder = await desk.folders.pick();
    if (folder !== undefined) setFolders([folder]);
  });
  const take = useAction(async (files: readonly File[]) => setFolders(await desk.adoptDropped(files)));
  const over = useDropZone(zone, take.run);
  const busy = pick.busy || take.busy;
  return (
    <Part title={t('assignment.upload.title')}>
      <div ref={zone} className={mergeClasses(styles.zone, over && styles.over)}>
        {take.busy ? (
          <Spinner size="tiny" aria-hidden="true" />
        ) : (
          <FolderArrowUp24Regular className={styles.icon} aria-hidden="true" />
        )}
        <Text className={styles.text} role="status">
          {take.busy ? t('assignment.upload.taking') : t('assignment.upload.drop')}
        </Text>
        <Button
          className={styles.button}
          appearance="primary"
          disabledFocusable={busy}
          onClick={({ currentTarget }) => {
            opener.current = currentTarget;
            pick.run();
          }}
        >
          {t('assignment.upload.choose')}
        </Button>
        <Button
          className={styles.button}
          disabledFocusable={busy}
          onClick={({ currentTarget }) => {
            opener.current = currentTarget;
            input.current?.click();
          }}
        >
          {t('assignment.upload.chooseFiles')}
        </Button>
        <FileInput input={input} onFiles={take.run} />
      </div>
      {folders.length > 0 && (
        <Suspense>
          <UploadDialog
            id={id}
            status={status}
            folders={folders}
            target={target}
            busy={upload.busy}
            onUpload={upload.run}
            onClose={close}
          />
        </Suspense>
      )}
    </Part>
  );
};
