import { type FieldProps, makeStyles, Text, tokens } from '@fluentui/react-components';
import { LockClosed12Regular } from '@fluentui/react-icons';
import type { ManagedPath } from '../../contract/preferences.ts';
import { useSnapshot } from '../state/store.tsx';
import { t } from '../words/words.ts';

export const useManaged = (path: ManagedPath | undefined): boolean =>
  useSnapshot(({ managed }) => path !== undefined && managed.includes(path));

const useStyles = makeStyles({
  note: { display: 'inline-flex', alignItems: 'center', gap: tokens.spacingHorizontalXS },
});

export const ManagedNote = () => (
  <Text className={useStyles().note} size={200}>
    <LockClosed12Regular /> {t('settings.managed')}
  </Text>
);

/**
 * Returns the props of a `Field` that show a note below a setting that the organisation manages. Screen readers read
 * the note with the field. `place` wraps the text, for example to style it.
 */
export const managedField = (
  place: (text: string) => NonNullable<FieldProps['validationMessage']> = (text) => text,
): Pick<FieldProps, 'validationState' | 'validationMessage' | 'validationMessageIcon'> => ({
  validationState: 'none',
  validationMessage: place(t('settings.managed')),
  validationMessageIcon: <LockClosed12Regular />,
});
