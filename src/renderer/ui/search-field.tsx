import { SearchBox, type SearchBoxProps } from '@fluentui/react-components';
import { useUi } from './ui-context.ts';

type SearchFieldProps = Pick<SearchBoxProps, 'placeholder' | 'value' | 'onChange'> & { readonly label: string };

/** A field that searches what the page shows, and gets the focus from the key for finding. */
export const SearchField = ({ label, placeholder = label, ...rest }: SearchFieldProps) => {
  const { clearSearch } = useUi().texts;
  return (
    <SearchBox
      data-find
      aria-label={label}
      placeholder={placeholder}
      // Fluent's own name for this button is English in every language.
      dismiss={{ 'aria-label': clearSearch }}
      {...rest}
    />
  );
};
