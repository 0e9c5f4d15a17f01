import { Button, Spinner, Text } from '@fluentui/react-components';
import { useDesk } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import { useFocusOnMount } from '../../ui/use-focus-on-mount.ts';
import { useNow } from '../../ui/use-now.ts';
import { t } from '../../words/words.ts';

/** Shown while the browser has the sign-in. `expiresAt`: ms since 1970. */
export const SignInWaiting = ({ expiresAt }: { readonly expiresAt: number }) => {
  const desk = useDesk();
  const cancel = useAction(desk.session.cancelSignIn);
  const actions = useFocusOnMount<HTMLDivElement>('button');
  const minutes = Math.max(1, Math.ceil((expiresAt - useNow(10_000)) / 60_000));
  return (
    <>
      <Spinner label={t('signIn.waiting')} labelPosition="after" size="small" />
      <Text>{t('signIn.finish', { minutes: t('count.minute', { count: minutes }) })}</Text>
      <div ref={actions}>
        <Button disabledFocusable={cancel.busy} onClick={() => cancel.run()}>
          {t('common.cancel')}
        </Button>
      </div>
    </>
  );
};
