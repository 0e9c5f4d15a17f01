import { Menu, MenuDivider, MenuItem, MenuList, MenuPopover, makeStyles } from '@fluentui/react-components';
import { t } from '../../words/words.ts';

/** What can be done with a row besides opening it. */
export type RowAction = { readonly name: string; readonly run: () => void };

const useStyles = makeStyles({
  // Above the headings of tables.
  menu: { zIndex: 5 },
});

export type RowMenuProps = {
  /** Where it opens, in pixels of the window. */
  readonly at: { readonly x: number; readonly y: number };
  /** The part of the page that it belongs to. */
  readonly mountNode: HTMLElement | null;
  readonly open: (() => void) | undefined;
  readonly actions: readonly RowAction[];
  readonly copy: (() => void) | undefined;
  readonly selectAll: (() => void) | undefined;
  readonly exportRows: (() => void) | undefined;
  readonly onClose: () => void;
};

/** The context menu of a row. */
export const RowMenu = ({ at, mountNode, open, actions, copy, selectAll, exportRows, onClose }: RowMenuProps) => {
  const styles = useStyles();
  const target = { getBoundingClientRect: () => DOMRect.fromRect(at) };
  const own = [...(open ? [{ name: t('common.table.openRow'), run: open }] : []), ...actions];
  const table = [
    { name: t('common.rows.copy'), run: copy },
    { name: t('common.rows.all'), run: selectAll },
    { name: t('common.table.export'), run: exportRows },
  ];
  return (
    <Menu
      open
      onOpenChange={(_, { open: stays }) => !stays && onClose()}
      positioning={{ target, position: 'below', align: 'start' }}
      mountNode={mountNode}
    >
      <MenuPopover className={styles.menu}>
        <MenuList>
          {own.map(({ name, run }) => (
            <MenuItem key={name} onClick={run}>
              {name}
            </MenuItem>
          ))}
          {own.length > 0 && <MenuDivider />}
          {table.map(
            ({ name, run }) =>
              run && (
                <MenuItem key={name} onClick={run}>
                  {name}
                </MenuItem>
              ),
          )}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
};
