/**
 * The menus of a table: the context menu of a row, and the options of the whole table. This module is loaded on demand.
 */
import {
  Button,
  Checkbox,
  Divider,
  Menu,
  MenuDivider,
  MenuItem,
  MenuList,
  MenuPopover,
  makeStyles,
  mergeClasses,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  Text,
  Tooltip,
  tokens,
} from '@fluentui/react-components';
import {
  ArrowDown16Regular,
  ArrowDownload20Regular,
  ArrowReset20Regular,
  ArrowUp16Regular,
  TableSettings20Filled,
  TableSettings20Regular,
} from '@fluentui/react-icons';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../words/words.ts';
import { bareList, sideBySide, stacked } from '../styles.ts';
import { type Arrangement, useCompactRows } from './columns.tsx';

const useStyles = makeStyles({
  button: { minWidth: '28px', maxWidth: '28px', height: '28px', padding: 0 },
  hiding: { color: tokens.colorCompoundBrandForeground1 },
  // Shows the options in front of the sticky headings of tables.
  surface: {
    zIndex: 5,
    padding: tokens.spacingVerticalM,
    overflowY: 'auto',
    maxHeight: '70vh',
    boxSizing: 'border-box',
  },
  content: { ...stacked(tokens.spacingVerticalS), minWidth: 'min(260px, 80vw)', maxWidth: '360px' },
  columns: bareList,
  column: { ...sideBySide('0'), '& > :first-child': { flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' } },
  action: { alignSelf: 'flex-start' },
  menu: { zIndex: 5 },
});

type TableOptionsProps = {
  readonly arrangement: Arrangement;
  readonly onExport: () => void;
  readonly tabStop: boolean;
};

/**
 * A button in the headings of a table. It opens the options of the table: the columns, the height of the rows, and the
 * export.
 */
export const TableOptions = ({ arrangement, onExport, tabStop }: TableOptionsProps) => {
  const styles = useStyles();
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isCompact, setCompact] = useCompactRows();
  const { columns, show, move, reset } = arrangement;
  const hidden = columns.filter(({ isShown, rare = false }) => !(isShown || rare));
  const moveButton = (id: string, by: -1 | 1, label: string, isAtEnd: boolean) => (
    <Button
      appearance="subtle"
      size="small"
      icon={by < 0 ? <ArrowUp16Regular /> : <ArrowDown16Regular />}
      aria-label={label}
      title={label}
      disabledFocusable={isAtEnd}
      onClick={({ currentTarget }) => {
        flushSync(() => move(id, by));
        // An element that is moved in the document loses the focus, so it is focused again.
        currentTarget.focus();
      }}
    />
  );
  return (
    <Popover
      open={isOpen}
      onOpenChange={(_, { open }) => setOpen(open)}
      trapFocus
      positioning="below-end"
      // The popover opens inside the dialog or `main` that contains the table.
      mountNode={button?.closest<HTMLElement>('[role="dialog"], main') ?? null}
    >
      <PopoverTrigger disableButtonEnhancement>
        <Tooltip
          content={
            hidden.length === 0
              ? t('common.table.options')
              : t('common.table.hiddenColumns', { columns: hidden.map(({ header }) => t(header)).join(', ') })
          }
          relationship="label"
        >
          <Button
            ref={setButton}
            className={mergeClasses(styles.button, hidden.length > 0 && styles.hiding)}
            appearance="subtle"
            size="small"
            tabIndex={tabStop ? 0 : -1}
            data-heading
            icon={hidden.length > 0 ? <TableSettings20Filled /> : <TableSettings20Regular />}
          />
        </Tooltip>
      </PopoverTrigger>
      <PopoverSurface className={styles.surface} aria-label={t('common.table.options')}>
        <div className={styles.content}>
          <Text weight="semibold">{t('common.table.columns')}</Text>
          <ul className={styles.columns}>
            {columns.map(({ id, header, isShown }, at) => (
              <li key={id} className={styles.column}>
                <Checkbox
                  label={t(header)}
                  checked={isShown}
                  onChange={(_, { checked }) => show(id, checked === true)}
                />
                {moveButton(id, -1, t('common.table.moveUp', { column: t(header) }), at === 0)}
                {moveButton(id, 1, t('common.table.moveDown', { column: t(header) }), at === columns.length - 1)}
              </li>
            ))}
          </ul>
          {reset !== undefined && (
            <Button className={styles.action} appearance="subtle" icon={<ArrowReset20Regular />} onClick={reset}>
              {t('common.table.usualColumns')}
            </Button>
          )}
          <Divider />
          <Checkbox
            label={t('common.table.compactRows')}
            checked={isCompact}
            onChange={(_, { checked }) => setCompact(checked === true)}
          />
          <Button
            className={styles.action}
            appearance="subtle"
            icon={<ArrowDownload20Regular />}
            onClick={() => {
              setOpen(false);
              onExport();
            }}
          >
            {t('common.table.export')}
          </Button>
        </div>
      </PopoverSurface>
    </Popover>
  );
};

export type RowMenuProps = {
  /** Where the menu opens, in pixels of the window. */
  readonly at: { readonly x: number; readonly y: number };
  readonly mountNode: HTMLElement | null;
  readonly open: (() => void) | undefined;
  readonly copy: (() => void) | undefined;
  readonly selectAll: (() => void) | undefined;
  readonly exportRows: () => void;
  readonly onClose: () => void;
};

export const RowMenu = ({ at, mountNode, open, copy, selectAll, exportRows, onClose }: RowMenuProps) => {
  const styles = useStyles();
  const target = { getBoundingClientRect: () => DOMRect.fromRect(at) };
  return (
    <Menu
      open
      onOpenChange={(_, { open: stays }) => !stays && onClose()}
      positioning={{ target, position: 'below', align: 'start' }}
      mountNode={mountNode}
    >
      <MenuPopover className={styles.menu}>
        <MenuList>
          {open && <MenuItem onClick={open}>{t('common.table.openRow')}</MenuItem>}
          {open && <MenuDivider />}
          {copy && <MenuItem onClick={copy}>{t('common.rows.copy')}</MenuItem>}
          {selectAll && <MenuItem onClick={selectAll}>{t('common.rows.all')}</MenuItem>}
          <MenuItem onClick={exportRows}>{t('common.table.export')}</MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
};
