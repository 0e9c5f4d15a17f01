import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Search20Regular } from '@fluentui/react-icons';
import type { ComponentProps, Ref } from 'react';
import { sideBySide } from './styles.ts';

const useStyles = makeStyles({
  field: {
    ...sideBySide(tokens.spacingHorizontalS),
    flexShrink: 0,
    padding: `0 ${tokens.spacingHorizontalS}`,
    border: `1px solid ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusMedium,
    ':focus-within': { outline: `2px solid ${tokens.colorCompoundBrandStroke}`, outlineOffset: '-1px' },
  },
  largeField: {
    ...sideBySide(tokens.spacingHorizontalM),
    padding: `0 ${tokens.spacingHorizontalL}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    ':focus-within': { boxShadow: `inset 0 -2px ${tokens.colorCompoundBrandStroke}` },
  },
  input: {
    flexGrow: 1,
    minWidth: 0,
    height: '30px',
    border: 'none',
    outline: 'none',
    background: 'none',
    color: tokens.colorNeutralForeground1,
    font: 'inherit',
    '::placeholder': { color: tokens.colorNeutralForeground3 },
  },
  largeInput: { height: '52px', fontSize: tokens.fontSizeBase400 },
});

type ComboInputProps = Pick<ComponentProps<'input'>, 'aria-describedby' | 'onKeyDown' | 'ref'> & {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The id of the list of options. The id of an option is this id, a dash and the option's position. */
  readonly listId: string;
  readonly isExpanded: boolean;
  /** The position of the highlighted option; -1 for none. */
  readonly active: number;
  readonly isLarge?: boolean;
  readonly field?: Ref<HTMLDivElement>;
};

/**
 * A text field for searching a list of options, which the caller renders below it. The field keeps the focus;
 * `onKeyDown` has to move the highlight.
 */
export const ComboInput = (props: ComboInputProps) => {
  const { label, text, onText, listId, isExpanded, active, isLarge = false, field, ...input } = props;
  const styles = useStyles();
  return (
    <div ref={field} className={isLarge ? styles.largeField : styles.field}>
      <Search20Regular aria-hidden="true" />
      <input
        {...input}
        className={mergeClasses(styles.input, isLarge && styles.largeInput)}
        role="combobox"
        aria-label={label}
        aria-expanded={isExpanded}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
        placeholder={label}
        value={text}
        spellCheck={false}
        onChange={({ target }) => onText(target.value)}
      />
    </div>
  );
};
