import { Checkbox, Field } from '@fluentui/react-components';
import { SignOut20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { isActive } from '../../contract/uploads.ts';
import { useDesk, useSnapshot } from '../state/store.tsx';
import { t } from '../words/words.ts';
import { ActionButton } from './actions.tsx';
import { managedField, useManaged } from './managed.tsx';
import { countUploads } from './uploads/batch-words.ts';

/**
 * A button that signs out after the user has confirmed a question. The question lets the user choose to clear the
 * offline data as well, if the organisation leaves this choice to users. `isIcon`: whether the button shows only an
 * icon.
 */
export const SignOut = ({ isIcon = false }: { readonly isIcon?: boolean }) => {
  const desk = useDesk();
  const managed = useManaged('signOut.erases');
  const erases = useSnapshot(({ office }) => office.signOutErases) === 'offline-data';
  const [wanted, want] = useState(erases);
  const eraseCache = managed ? erases : wanted;
  const name = t('settings.signOut');
  const uploads = useSnapshot(({ batches }) => countUploads(batches.filter(isActive)));
  const text = (
    <>
      {uploads > 0 && `${t('shell.uploading', { count: uploads })}. `}
      {t('settings.signOutExplained')}
      <Field {...(managed && managedField())}>
        <Checkbox
          label={t('settings.erase')}
          checked={eraseCache}
          aria-disabled={managed}
          onChange={(_, { checked }) => want(checked === true)}
        />
      </Field>
    </>
  );
  return (
    <ActionButton
      {...(isIcon && { appearance: 'subtle', icon: <SignOut20Regular />, title: name, 'aria-label': name })}
      act={() => desk.session.signOut({ eraseCache })}
      question={{ title: t('settings.signOutQuestion'), text, action: name }}
    >
      {isIcon ? undefined : name}
    </ActionButton>
  );
};
