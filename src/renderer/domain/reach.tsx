import { Button, type ButtonProps } from '@fluentui/react-components';
import { useApp, useDesk } from '../state/store.tsx';
import { t } from '../words/words.ts';
import { ActionButton, OpenButton } from './actions.tsx';

export const OpenDoctor = (look: Pick<ButtonProps, 'size'>) => (
  <OpenButton place={{ name: 'doctor' }} {...look}>
    {t('reach.doctor')}
  </OpenButton>
);

/**
 * Two buttons. The first ends all pauses and immediately checks whether unreachable hosts respond; the second opens the
 * connection check.
 */
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

/** A button that leads to the sign-in, for pages that can be used without signing in. */
export const GoToSignIn = () => {
  const open = useApp((state) => state.open);
  const browseOffline = useApp((state) => state.browseOffline);
  const onClick = (): void => {
    browseOffline(false);
    open({ name: 'protocols' });
  };
  return <Button onClick={onClick}>{t('settings.goToSignIn')}</Button>;
};
