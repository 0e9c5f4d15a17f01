import { Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { FolderAdd20Regular, FolderArrowUp24Regular, FolderArrowUp48Regular } from '@fluentui/react-icons';
import { useRef } from 'react';
import type { Folder } from '../../../contract/watched-folders.ts';
import { useAction, useApp, useDesk } from '../../state/store.tsx';
import { Line } from '../../ui/page.tsx';
import { wrapping } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';

type ChooseButtonsProps = {
  readonly folder: string;
  /**
   * The label of the button for files. If absent, there is no such button, and the button for folders does not look
   * like a main action.
   */
  readonly files?: string;
  /**
   * The assignment that everything chosen is uploaded to. If absent, everything chosen is added to the new upload on
   * screen.
   */
  readonly AssignmentId?: string;
};

/** Buttons that open the system's pickers. The chosen files are reviewed on the page of a new upload. */
export const ChooseButtons = ({ folder, files: filesName, AssignmentId }: ChooseButtonsProps) => {
  const desk = useDesk();
  const give = useApp((state) => state.give);
  const input = useRef<HTMLInputElement>(null);
  const begin = (folders: readonly Folder[]): void =>
    give(AssignmentId === undefined ? { folders, here: true } : { folders, AssignmentId });
  const pick = useAction(async () => {
    const picked = await desk.folders.pick();
    if (picked !== undefined) begin([picked]);
  });
  const adopt = useAction(async (files: readonly File[]) => begin(await desk.adoptDropped(files)));
  const busy = pick.busy || adopt.busy;
  return (
    <>
      <Button
        appearance={filesName === undefined ? 'secondary' : 'primary'}
        icon={<FolderAdd20Regular />}
        disabledFocusable={busy}
        onClick={pick.run}
      >
        {folder}
      </Button>
      {filesName !== undefined && (
        <>
          <Button disabledFocusable={busy} onClick={() => input.current?.click()}>
            {filesName}
          </Button>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            onChange={({ currentTarget }) => {
              const files = [...(currentTarget.files ?? [])];
              // If the value were kept, choosing the same files again would fire no event.
              currentTarget.value = '';
              if (files.length > 0) adopt.run(files);
            }}
          />
        </>
      )}
    </>
  );
};

const useZoneStyles = makeStyles({
  zone: {
    ...wrapping(`${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}`),
    padding: tokens.spacingHorizontalXL,
    border: `1px dashed ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusLarge,
  },
  large: {
    flex: '1 0 auto',
    flexDirection: 'column',
    flexWrap: 'nowrap',
    justifyContent: 'center',
    minHeight: 'min(280px, 50vh)',
  },
  icon: { color: tokens.colorNeutralForeground3 },
  text: { flex: '1 1 240px' },
  textBelow: { maxWidth: '520px', color: tokens.colorNeutralForeground2 },
  buttons: { '& button': { flexShrink: 0 } },
  buttonsBelow: { justifyContent: 'center' },
});

type ChooseZoneProps = Pick<ChooseButtonsProps, 'AssignmentId'> & {
  readonly title?: string;
  readonly explained: string;
  readonly isLarge: boolean;
};

/**
 * The area where an upload begins. The user chooses folders and files with its buttons, or drops them anywhere on the
 * page.
 */
export const ChooseZone = ({ title, explained, isLarge, ...buttons }: ChooseZoneProps) => {
  const styles = useZoneStyles();
  const Icon = isLarge ? FolderArrowUp48Regular : FolderArrowUp24Regular;
  return (
    <div className={mergeClasses(styles.zone, isLarge && styles.large)}>
      <Icon className={styles.icon} aria-hidden="true" />
      {title !== undefined && (
        <Text size={500} weight="semibold" align="center">
          {title}
        </Text>
      )}
      <Text align={isLarge ? 'center' : 'start'} className={isLarge ? styles.textBelow : styles.text}>
        {explained}
      </Text>
      <Line className={mergeClasses(styles.buttons, isLarge && styles.buttonsBelow)}>
        <ChooseButtons folder={t('common.chooseFolder')} files={t('common.chooseFiles')} {...buttons} />
      </Line>
    </div>
  );
};
