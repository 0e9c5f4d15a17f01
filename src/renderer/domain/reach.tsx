/** The user's options while the service cannot be reached. */
import { Button, type ButtonProps } from '@fluentui/react-components';
import { useApp, useDesk } from '../state/context.tsx';
import { t } from '../words/words.ts';
import { ActionButton, OpenButton } from './actions.tsx';

/** Opens the connection check. */
export const OpenDoctor = (look: Pick<ButtonProps, 'size'>) => (
  <OpenButton place={{ name: 'doctor' }} {...look}>
    {t('reach.doctor')}
  </OpenButton>
);

/** Ends a pause and checks now whether an unreachable host can be reached, or opens the connection check. */
export const ReachActions = () => {
  const { app } = useDesk();
  return (
    <>
      <ActionButton size="small" act={app.tryNow}>
        {t('reach.tryNow')}
      </ActionButton>
      <OpenDoctor size="small" />
    </>
  );
};

/** The way to the sign-in from a page that is shown without one. */
export const GoToSignIn = () => {
  const open = useApp((state) => state.open);
  const browseOffline = useApp((state) => state.browseOffline);
  const onClick = (): void => {
    browseOffline(false);
    open({ name: 'protocols' });
  };
  return <Button onClick={onClick}>{t('settings.goToSignIn')}</Button>;
};
