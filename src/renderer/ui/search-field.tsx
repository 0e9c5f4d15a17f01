import { makeStyles, SearchBox } from '@fluentui/react-components';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  // The width is fixed. Fluent's own width changes with the focus, which would move a control next to the field away
  // from the click on it.
  field: { width: '260px', maxWidth: '100%' },
});

type SearchFieldProps = {
  readonly label: string;
  /** The text in the empty field; default: the label. */
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
};

/** A search field for what the page shows. Ctrl+F or Command+F gives it the focus. */
export const SearchField = ({ label, placeholder = label, value, onChange }: SearchFieldProps) => {
  const styles = useStyles();
  return (
    <SearchBox
      className={styles.field}
      data-find
      aria-label={label}
      placeholder={placeholder}
      // Fluent's own name for the button that clears the field is English in every language.
      dismiss={{ 'aria-label': t('common.clearSearch') }}
      value={value}
      onChange={(_, data) => onChange(data.value)}
    />
  );
};
