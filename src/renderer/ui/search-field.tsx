import { makeStyles, SearchBox, type SearchBoxProps } from '@fluentui/react-components';
import { useUi } from './ui-context.ts';

const useStyles = makeStyles({
  // Fluent's own width changes with the focus: a click beside it would miss what has moved.
  field: { width: '260px', maxWidth: '100%' },
});

type SearchFieldProps = Pick<SearchBoxProps, 'placeholder' | 'value' | 'onChange'> & { readonly label: string };

/** A field that searches what the page shows, and gets the focus from the key for finding. */
export const SearchField = ({ label, placeholder = label, ...rest }: SearchFieldProps) => {
  const styles = useStyles();
  const { clearSearch } = useUi().texts;
  return (
    <SearchBox
      className={styles.field}
      data-find
      aria-label={label}
      placeholder={placeholder}
      // Fluent's own name for this button is English in every language.
      dismiss={{ 'aria-label': clearSearch }}
      {...rest}
    />
  );
};
