import {
  Menu,
  MenuButton,
  MenuDivider,
  MenuItem,
  MenuItemCheckbox,
  MenuList,
  MenuPopover,
  MenuTrigger,
  makeStyles,
  mergeClasses,
  tokens,
} from '@fluentui/react-components';
import { DocumentCheckmark20Regular, FolderOpen20Regular, Open20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { z } from 'zod';
import { type Batch, ReceiptFormat, type SavedReceipts } from '../../../contract/uploads.ts';
import { useAction, useDesk, useRemembered } from '../../state/store.tsx';
import { sideBySide, unseen, wrapping } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';
import { ActionButton } from '../actions.tsx';

const useStyles = makeStyles({
  // The outcome has a line of its own below the commands, so that none of them moves.
  outcome: { ...sideBySide(tokens.spacingHorizontalS), flexWrap: 'wrap', flexBasis: '100%', order: 1 },
  besideSubtle: { paddingInlineStart: tokens.spacingHorizontalM },
  unseen,
  saved: {
    ...wrapping(tokens.spacingHorizontalS),
    minWidth: 0,
    color: tokens.colorNeutralForeground3,
  },
  // Breaks a path anywhere, because a long path need not have a character that allows a line break.
  path: { minWidth: 0, overflowWrap: 'anywhere' },
});

const Options = z.array(z.enum(['each', 'beside', 'files'])).readonly();
const noOptions: z.infer<typeof Options> = [];

const hasOutcome = ({ uploaded, skipped, failed }: Batch): boolean => uploaded + skipped + failed > 0;

type SaveReceiptProps = {
  readonly batches: readonly Batch[];
  readonly appearance?: 'secondary' | 'subtle';
};

/**
 * A menu that saves receipts of `batches` in the chosen format: one for all, or one for each assignment. A line says
 * where they were saved. The menu is disabled until a file has an outcome.
 */
export const SaveReceipt = ({ batches, appearance = 'secondary' }: SaveReceiptProps) => {
  const styles = useStyles();
  const { receipts } = useDesk();
  const [options = noOptions, setOptions] = useRemembered('uploads.receipt', Options);
  const [saved, setSaved] = useState<SavedReceipts>();
  const hasSeveral = new Set(batches.map(({ AssignmentId }) => AssignmentId)).size > 1;
  const save = useAction(async (format: ReceiptFormat) => {
    const result = await receipts.save({
      batchIds: batches.map(({ batchId }) => batchId),
      format,
      eachAssignment: hasSeveral && options.includes('each'),
      listsFiles: options.includes('files'),
      beside: options.includes('beside'),
    });
    setSaved(result);
  });
  return (
    <>
      <Menu
        hasCheckmarks
        checkedValues={{ options: [...options] }}
        onCheckedValueChange={(_, { checkedItems }) => setOptions(Options.parse(checkedItems))}
      >
        <MenuTrigger disableButtonEnhancement>
          <MenuButton
            appearance={appearance}
            icon={<DocumentCheckmark20Regular />}
            disabledFocusable={save.busy || !batches.some(hasOutcome)}
          >
            {t('uploads.receipt.save')}
          </MenuButton>
        </MenuTrigger>
        <MenuPopover>
          <MenuList>
            {ReceiptFormat.options.map((format) => (
              <MenuItem key={format} onClick={() => save.run(format)}>
                {t(`uploads.receipt.format.${format}`)}
              </MenuItem>
            ))}
            <MenuDivider />
            <MenuItemCheckbox name="options" value="files">
              {t('uploads.receipt.listFiles')}
            </MenuItemCheckbox>
            {hasSeveral && (
              <MenuItemCheckbox name="options" value="each">
                {t('uploads.receipt.each')}
              </MenuItemCheckbox>
            )}
            <MenuItemCheckbox name="options" value="beside">
              {t('uploads.receipt.beside')}
            </MenuItemCheckbox>
          </MenuList>
        </MenuPopover>
      </Menu>
      <div
        className={
          save.busy || saved
            ? mergeClasses(styles.outcome, appearance === 'subtle' && styles.besideSubtle)
            : styles.unseen
        }
      >
        <SavedFiles of="receipt" busy={save.busy} saved={saved} />
      </div>
    </>
  );
};

type SavedFilesProps = {
  readonly of: 'receipt' | 'report';
  readonly busy: boolean;
  readonly saved: SavedReceipts | undefined;
};

/**
 * Says where receipts or a report were saved, with a button that opens them. A single file can also be shown in its
 * folder.
 */
export const SavedFiles = ({ of, busy, saved }: SavedFilesProps) => {
  const styles = useStyles();
  const { receipts } = useDesk();
  return (
    <>
      <span role="status" className={styles.saved}>
        {busy && t(`uploads.${of}.saving`)}
        {!busy && saved !== undefined && <span className={styles.path}>{t('common.saved', { path: saved.path })}</span>}
      </span>
      {!busy && saved !== undefined && (
        <>
          <ActionButton size="small" icon={<Open20Regular />} act={() => receipts.open({ savedId: saved.savedId })}>
            {t(`uploads.${of}.${saved.files > 1 ? 'openSeveral' : 'openOne'}`)}
          </ActionButton>
          {saved.files === 1 && (
            <ActionButton
              size="small"
              icon={<FolderOpen20Regular />}
              act={() => receipts.show({ savedId: saved.savedId })}
            >
              {t('uploads.receipt.show')}
            </ActionButton>
          )}
        </>
      )}
    </>
  );
};
