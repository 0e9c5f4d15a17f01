import { makeStyles, tokens } from '@fluentui/react-components';

export const headerHeight = 36;

export const useTableStyles = makeStyles({
  // With the padding of its cells, text in a table starts where the text above it does.
  flush: { margin: `0 calc(-1 * ${tokens.spacingHorizontalM})`, overflowX: 'auto' },
  scroller: {
    flexGrow: 1,
    minHeight: 0,
    overflow: 'auto',
    scrollPaddingTop: `${headerHeight}px`,
  },
  table: {
    width: '100%',
    minWidth: '620px',
    tableLayout: 'fixed',
    borderSpacing: 0,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    color: tokens.colorNeutralForeground1,
  },
  header: {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    height: `${headerHeight}px`,
    boxSizing: 'border-box',
    padding: `0 ${tokens.spacingHorizontalM}`,
    textAlign: 'start',
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    fontWeight: tokens.fontWeightSemibold,
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground2,
    backgroundColor: tokens.colorNeutralBackground1,
    borderBottom: `1px solid ${tokens.colorNeutralStroke1}`,
  },
  row: {
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    // The ring goes round the row: its button is only as wide as its text.
    ':has(:focus-visible)': {
      outline: `2px solid ${tokens.colorStrokeFocus2}`,
      outlineOffset: '-2px',
    },
  },
  openable: { cursor: 'pointer' },
  cell: {
    boxSizing: 'border-box',
    padding: `0 ${tokens.spacingHorizontalM}`,
    verticalAlign: 'middle',
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  /** Columns that the row's own page repeats give way in a narrow window. */
  minor: { '@media (max-width: 999px)': { display: 'none' } },
  end: { textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
  name: {
    display: 'block',
    maxWidth: '100%',
    padding: 0,
    border: 'none',
    background: 'none',
    font: 'inherit',
    fontWeight: tokens.fontWeightSemibold,
    color: 'inherit',
    textAlign: 'start',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    cursor: 'inherit',
    outline: 'none',
  },
  gap: { padding: 0, border: 'none' },
});
