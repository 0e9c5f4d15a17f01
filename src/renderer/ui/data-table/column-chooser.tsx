import {
  Button,
  Menu,
  MenuDivider,
  MenuItem,
  MenuItemCheckbox,
  MenuList,
  MenuPopover,
  MenuTrigger,
  makeStyles,
  mergeClasses,
  Tooltip,
  tokens,
} from '@fluentui/react-components';
import { TableSettings20Filled, TableSettings20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { useUi } from '../ui-context.ts';

const useStyles = makeStyles({
  button: { minWidth: '28px', maxWidth: '28px', height: '28px', padding: 0 },
  // Above the headings of tables.
  menu: { zIndex: 4 },
  hiding: { color: tokens.colorCompoundBrandForeground1 },
});

type ColumnChooserProps = {
  readonly columns: readonly { readonly id: string; readonly name: string; readonly isShown: boolean }[];
  readonly onChoose: (id: string, isShown: boolean) => void;
  /** Discards the user's choices; undefined if there are none. */
  readonly onReset: (() => void) | undefined;
};

/** A button in the header of a table that says which columns are hidden, and shows or hides each. */
export const ColumnChooser = ({ columns, onChoose, onReset }: ColumnChooserProps) => {
  const styles = useStyles();
  const { texts } = useUi();
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const hidden = columns.filter(({ isShown }) => !isShown).map(({ name }) => name);
  const shown = columns.filter(({ isShown }) => isShown).map(({ id }) => id);
  return (
    <Menu
      hasCheckmarks
      // The menu stays in the part of the page that its table is in.
      mountNode={button?.closest<HTMLElement>('[role="dialog"], main') ?? null}
      checkedValues={{ columns: shown }}
      onCheckedValueChange={(_, { checkedItems }) => {
        const changed = columns.find(({ id, isShown }) => isShown !== checkedItems.includes(id));
        if (changed !== undefined) onChoose(changed.id, !changed.isShown);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={hidden.length === 0 ? texts.columns : texts.hiddenColumns(hidden)} relationship="label">
          <Button
            ref={setButton}
            className={mergeClasses(styles.button, hidden.length > 0 && styles.hiding)}
            appearance="subtle"
            size="small"
            icon={hidden.length > 0 ? <TableSettings20Filled /> : <TableSettings20Regular />}
          />
        </Tooltip>
      </MenuTrigger>
      <MenuPopover className={styles.menu}>
        <MenuList>
          {columns.map(({ id, name }) => (
            <MenuItemCheckbox key={id} name="columns" value={id}>
              {name}
            </MenuItemCheckbox>
          ))}
          {onReset !== undefined && <MenuDivider />}
          {onReset !== undefined && <MenuItem onClick={onReset}>{texts.usualColumns}</MenuItem>}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
};
