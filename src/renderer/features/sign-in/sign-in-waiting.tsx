import { Button, Spinner, Text } from '@fluentui/react-components';
import { useDesk } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import { counted } from '../../ui/amounts.ts';
import { useFocusOnMount } from '../../ui/use-focus-on-mount.ts';
import { useNow } from '../../ui/use-now.ts';

/** Shown while the browser has the sign-in. `expiresAt`: ms since 1970. */
export const SignInWaiting = ({ expiresAt }: { readonly expiresAt: number }) => {
  const desk = useDesk();
  const cancel = useAction(desk.session.cancelSignIn);
  const actions = useFocusOnMount<HTMLDivElement>('button');
  const minutes = Math.max(1, Math.ceil((expiresAt - useNow(10_000)) / 60_000));
  return (
    <>
      <Spinner label="Waiting for your browser…" labelPosition="after" size="small" />
      <Text>Finish the sign-in in your browser, then come back here. You have {counted(minutes, 'minute')} left.</Text>
      <div ref={actions}>
        <Button disabledFocusable={cancel.busy} onClick={() => cancel.run()}>
          Cancel
        </Button>
      </div>
    </>
  );
};
