/** What a user can do while the service cannot be reached. */
import { Button } from '@fluentui/react-components';
import { useAction, useApp, useDesk } from '../state/context.tsx';
import { t } from '../words/words.ts';

/** Opens the page that finds out what is wrong. */
export const OpenDoctor = ({ small = false }: { readonly small?: boolean }) => {
  const open = useApp((state) => state.open);
  return (
    <Button {...(small && { size: 'small' })} onClick={() => open({ name: 'doctor' })}>
      {t('reach.doctor')}
    </Button>
  );
};

/** Ends a pause, and checks now whether an unreachable host can be reached. */
export const TryNow = () => {
  const { app } = useDesk();
  const { busy, run } = useAction(() => app.tryNow());
  return (
    <Button size="small" disabledFocusable={busy} onClick={() => run()}>
      {t('reach.tryNow')}
    </Button>
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
