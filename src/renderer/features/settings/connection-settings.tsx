import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { ConnectionForm } from '../../domain/connection/connection-form.tsx';
import { ManagedNote } from '../../domain/managed/managed.tsx';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { Facts } from '../../ui/facts.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

/** The service in use, and changing it. */
export const ConnectionSettings = () => {
  const styles = useStyles();
  const desk = useDesk();
  const connection = useSnapshot((snapshot) => snapshot.connection);
  const office = useSnapshot((snapshot) => snapshot.office);
  const [changing, setChanging] = useState(false);
  const useSample = useAction(desk.connection.useSample);
  if (connection === undefined) return null;
  const isFixed =
    !connection.sample && (['baseUrl', 'authUrl', 'clientId'] as const).every((name) => office.connection[name]);
  if (changing) {
    const leave = () => setChanging(false);
    return <ConnectionForm connection={connection.sample ? undefined : connection} onDone={leave} onCancel={leave} />;
  }
  return (
    <>
      <Facts
        facts={[
          ...(connection.sample ? [{ name: t('settings.service'), value: t('settings.sample') }] : []),
          { name: t('connection.field.baseUrl'), value: connection.baseUrl },
          { name: t('connection.field.authUrl'), value: connection.authUrl },
          { name: t('connection.field.clientId'), value: connection.clientId },
          ...(connection.scope === undefined ? [] : [{ name: t('connection.field.scope'), value: connection.scope }]),
        ]}
      />
      <div className={styles.actions}>
        {isFixed ? <ManagedNote /> : <Button onClick={() => setChanging(true)}>{t('settings.change')}</Button>}
        {!connection.sample && office.sampleData && (
          <Button appearance="subtle" disabledFocusable={useSample.busy} onClick={() => useSample.run()}>
            {t('connection.sample')}
          </Button>
        )}
      </div>
    </>
  );
};
