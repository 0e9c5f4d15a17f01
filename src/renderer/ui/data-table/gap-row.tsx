import { useTableStyles } from './styles.ts';

/** Takes the height of rows that are not rendered. */
export const GapRow = ({ height }: { readonly height: number }) => {
  const styles = useTableStyles();
  return height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content is not focusable.
    <tr aria-hidden="true">
      <td className={styles.gap} style={{ height }} />
    </tr>
  );
};
