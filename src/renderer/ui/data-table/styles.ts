import { makeStyles, tokens, typographyStyles } from '@fluentui/react-components';
import { bareButton, oneLine, sideBySide, unseen } from '../styles.ts';

export const headerHeight = 36;

/**
 * The tables whose first column stays in view when they scroll sideways. In a narrower table, as at 400 % zoom, that
 * column alone would fill the view.
 */
const besides = '@container (min-width: 480px)';

export const useTableStyles = makeStyles({
  // Aligns the text in the cells, which have a padding, with the text above the table.
  flush: { margin: `0 calc(-1 * ${tokens.spacingHorizontalM})`, overflowX: 'auto' },
  scroller: {
    // The basis leaves room for a few rows even in a low window. If the container sets a height, the scroller can
    // shrink.
    flex: '1 1 300px',
    '@media (max-height: 399px)': { flexBasis: '216px' },
    minHeight: 0,
    overflow: 'auto',
    scrollPaddingTop: `${headerHeight}px`,
    // Separates the layout of the table from the layout around it, so that typing elsewhere does not lay out the table
    // again.
    contain: 'strict',
    containerType: 'inline-size',
    '@media print': { contain: 'none', containerType: 'normal' },
  },
  table: {
    width: '100%',
    tableLayout: 'fixed',
    borderSpacing: 0,
    ...typographyStyles.body1,
    color: tokens.colorNeutralForeground1,
  },
  header: {
    position: 'sticky',
    top: 0,
    zIndex: 2,
    height: `${headerHeight}px`,
    boxSizing: 'border-box',
    padding: `0 ${tokens.spacingHorizontalM}`,
    textAlign: 'start',
    ...oneLine,
    fontWeight: tokens.fontWeightSemibold,
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground2,
    backgroundColor: tokens.colorNeutralBackground1,
    borderBottom: `1px solid ${tokens.colorNeutralStroke1}`,
  },
  firstHeading: { [besides]: { left: 0, zIndex: 3 } },
  first: { [besides]: { position: 'sticky', left: 0, zIndex: 1, backgroundColor: 'inherit' } },
  besideBoxes: { [besides]: { left: '40px' } },
  withOptions: {
    paddingRight: '36px',
    '& > button': { width: `calc(100% + ${tokens.spacingHorizontalM})`, marginRight: 0 },
  },
  options: {
    position: 'sticky',
    top: 0,
    right: 0,
    zIndex: 4,
    width: 0,
    padding: 0,
    // Hides the part of a heading that was scrolled under the button for the table's options.
    '::before': {
      content: '""',
      position: 'absolute',
      top: 0,
      right: 0,
      width: '36px',
      height: `${headerHeight - 1}px`,
      backgroundColor: tokens.colorNeutralBackground1,
    },
    '& > *': { position: 'absolute', top: '4px', right: '4px' },
    '@media print': { display: 'none' },
  },
  // Cuts off the text before the button for the table's options. The cell itself extends under that button.
  heading: {
    display: 'block',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    ':focus-visible': {
      outline: `2px solid ${tokens.colorStrokeFocus2}`,
      outlineOffset: '-2px',
      borderRadius: tokens.borderRadiusSmall,
    },
  },
  // The button is as large as its cell, so that the whole header is clickable.
  sort: {
    ...bareButton,
    ...sideBySide(tokens.spacingHorizontalXS),
    width: `calc(100% + 2 * ${tokens.spacingHorizontalM})`,
    height: `${headerHeight - 1}px`,
    margin: `0 calc(-1 * ${tokens.spacingHorizontalM})`,
    padding: `0 ${tokens.spacingHorizontalM}`,
    cursor: 'pointer',
    ':hover': { color: tokens.colorNeutralForeground1, backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  sortEnd: { justifyContent: 'flex-end' },
  /**
   * The handle at the end of a column's heading, wide enough to grab. Its line is a border, because forced colours keep
   * borders.
   */
  boundary: {
    position: 'absolute',
    top: 0,
    right: 0,
    bottom: 0,
    width: '12px',
    cursor: 'col-resize',
    touchAction: 'none',
    '::after': {
      content: '""',
      position: 'absolute',
      top: '8px',
      right: 0,
      bottom: '8px',
      borderRight: `1px solid ${tokens.colorNeutralStroke2}`,
    },
    ':hover::after': { top: 0, bottom: 0, borderRight: `2px solid ${tokens.colorCompoundBrandStroke}` },
  },
  movingBoundary: {
    '::after': { top: 0, bottom: 0, borderRight: `2px solid ${tokens.colorCompoundBrandStroke}` },
  },
  row: {
    backgroundColor: tokens.colorNeutralBackground1,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    // The focus ring is around the whole row, because the row's button is only as wide as its text.
    ':is(:focus-visible, :has(:focus-visible))': {
      outline: `2px solid ${tokens.colorStrokeFocus2}`,
      outlineOffset: '-2px',
    },
  },
  openable: { cursor: 'pointer' },
  /** The checkbox of a row has no outline of its own, because the ring around the row shows the focus. */
  bare: { outline: 'none' },
  // Forced colours remove the background, but show the transparent outline, which then marks the row.
  selected: {
    outline: `1px solid ${tokens.colorTransparentStroke}`,
    outlineOffset: '-1px',
    backgroundColor: tokens.colorNeutralBackground1Selected,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Selected },
  },
  select: { textAlign: 'center' },
  unseen,
  checkbox: {
    width: '16px',
    height: '16px',
    margin: 0,
    verticalAlign: 'middle',
    accentColor: tokens.colorCompoundBrandBackground,
    cursor: 'pointer',
  },
  cell: {
    boxSizing: 'border-box',
    padding: `0 ${tokens.spacingHorizontalM}`,
    verticalAlign: 'middle',
    ...oneLine,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  end: { textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
  name: {
    ...bareButton,
    display: 'block',
    maxWidth: '100%',
    padding: 0,
    fontWeight: tokens.fontWeightSemibold,
    textAlign: 'start',
    ...oneLine,
    cursor: 'inherit',
    outline: 'none',
  },
  gap: { padding: 0, border: 'none' },
  unreadable: { color: tokens.colorNeutralForeground3, fontStyle: 'italic' },
  warning: { verticalAlign: 'text-bottom', color: tokens.colorStatusWarningForeground3 },
  foot: {
    position: 'sticky',
    bottom: 0,
    height: '32px',
    borderTop: `1px solid ${tokens.colorNeutralStroke1}`,
    borderBottom: 'none',
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground2,
    backgroundColor: tokens.colorNeutralBackground1,
  },
});
