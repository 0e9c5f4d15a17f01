import { Button, Checkbox, Field, Text } from '@fluentui/react-components';
import { useState } from 'react';
import { GoToSignIn } from '../../domain/connection/go-to-sign-in.tsx';
import { managedField, useManaged } from '../../domain/managed/managed.tsx';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { t } from '../../words/words.ts';

/** The session, and signing out. */
export const SessionSettings = () => {
  const desk = useDesk();
  const session = useSnapshot((snapshot) => snapshot.session);
  const managed = useManaged('signOut.erases');
  const erases = useSnapshot(({ office }) => office.signOutErases) === 'offline-data';
  const [wanted, setErase] = useState(erases);
  const erase = managed ? erases : wanted;
  const signOut = useAction((eraseCache: boolean) => desk.session.signOut({ eraseCache }));
  if (session.state !== 'signed-in') {
    return (
      <>
        <Text>{t('settings.signedOut')}</Text>
        <div>
          <GoToSignIn />
        </div>
      </>
    );
  }
  return (
    <>
      <Text>
        {session.subject === undefined
          ? t('settings.signedIn')
          : t('settings.signedInAs', { subject: session.subject })}
      </Text>
      <div>
        <Confirm
          title={t('settings.signOutQuestion')}
          action={t('settings.signOut')}
          onConfirm={() => signOut.run(erase)}
          trigger={<Button disabledFocusable={signOut.busy}>{t('settings.signOut')}</Button>}
        >
          {t('settings.signOutExplained')}
          <Field {...(managed && managedField())}>
            <Checkbox
              label={t('settings.erase')}
              checked={erase}
              aria-disabled={managed}
              onChange={(_, { checked }) => setErase(checked === true)}
            />
          </Field>
        </Confirm>
      </div>
    </>
  );
};
