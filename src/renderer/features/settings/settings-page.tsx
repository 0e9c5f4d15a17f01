import { useSnapshot } from '../../app/context.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { Part } from '../../ui/part.tsx';
import { ConnectionSettings } from './connection-settings.tsx';
import { SessionSettings } from './session-settings.tsx';

/** The connection, the sign-in, and which version this is. */
export const SettingsPage = () => {
  const version = useSnapshot((snapshot) => snapshot.version);
  return (
    <Page title="Settings">
      <PageBody>
        <Part title="Connection">
          <ConnectionSettings />
        </Part>
        <Part title="Sign-in">
          <SessionSettings />
        </Part>
        <Part title="About">
          <Facts facts={[{ name: 'Inspection Desk version', value: version }]} />
        </Part>
      </PageBody>
    </Page>
  );
};
