import { Button } from '@fluentui/react-components';
import { useApp } from '../../state/context.tsx';
import { t } from '../../words/words.ts';

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
