/** The column of checkboxes in a table whose rows can be selected. */
import { mergeClasses } from '@fluentui/react-components';
import { useEffect, useRef } from 'react';
import { useTableStyles } from './styles.ts';
import type { TableSelection } from './use-selection.ts';

type SelectAllProps = {
  readonly selection: Pick<TableSelection<never>, 'ids' | 'all' | 'none' | 'allLabel'>;
  readonly total: number;
  /** Whether Tab leads to it. */
  readonly tabStop: boolean;
};

export const selectWidth = '40px';

/** The heading: selects every row, or none. */
export const SelectAll = ({ selection: { ids, all, none, allLabel }, total, tabStop }: SelectAllProps) => {
  const styles = useTableStyles();
  const box = useRef<HTMLInputElement>(null);
  const isAll = ids.size > 0 && ids.size >= total;
  const isSome = ids.size > 0 && !isAll;
  useEffect(() => {
    // No attribute sets it.
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <th scope="col" className={mergeClasses(styles.header, styles.select)}>
      <input
        ref={box}
        type="checkbox"
        className={styles.checkbox}
        aria-label={allLabel}
        tabIndex={tabStop ? 0 : -1}
        data-heading
        checked={isAll}
        onChange={isAll ? none : all}
      />
    </th>
  );
};

/** The heading of checkboxes that mean something else than the selection. */
export const ChecksHeading = ({ heading }: { readonly heading: string }) => {
  const styles = useTableStyles();
  return (
    <th scope="col" className={mergeClasses(styles.header, styles.select)}>
      <span className={styles.unseen}>{heading}</span>
    </th>
  );
};

type SelectRowProps = {
  readonly label: string;
  readonly checked: boolean;
  readonly height: number;
  readonly tabStop: boolean;
  /** The id of the element that describes the row. */
  readonly describedBy?: string | undefined;
  /** `range`: Shift was held down. */
  readonly onChoose: (range: boolean) => void;
};

export const SelectRow = ({ label, checked, height, tabStop, describedBy, onChoose }: SelectRowProps) => {
  const styles = useTableStyles();
  return (
    <td className={mergeClasses(styles.cell, styles.select)} style={{ height }}>
      <input
        type="checkbox"
        className={mergeClasses(styles.checkbox, styles.bare)}
        aria-label={label}
        aria-describedby={describedBy}
        tabIndex={tabStop ? 0 : -1}
        checked={checked}
        onChange={({ nativeEvent }) => onChoose('shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
      />
    </td>
  );
};
