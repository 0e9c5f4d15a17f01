import { Button, Text } from '@fluentui/react-components';
import { useApp, useDesk, useSnapshot } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import { Confirm } from '../../ui/confirm.tsx';

/** Whether one is signed in, and signing out. */
export const SessionSettings = () => {
  const desk = useDesk();
  const open = useApp((state) => state.open);
  const session = useSnapshot((snapshot) => snapshot.session);
  const signOut = useAction(desk.session.signOut);
  if (session.state !== 'signed-in') {
    return (
      <>
        <Text>You are not signed in.</Text>
        <div>
          <Button onClick={() => open({ name: 'protocols' })}>Go to sign-in</Button>
        </div>
      </>
    );
  }
  return (
    <>
      <Text>You are signed in{session.subject === undefined ? '' : ` as ${session.subject}`}.</Text>
      <div>
        <Confirm
          title="Sign out?"
          action="Sign out"
          onConfirm={() => signOut.run()}
          trigger={<Button disabledFocusable={signOut.busy}>Sign out</Button>}
        >
          Uploads under way pause until you sign in again.
        </Confirm>
      </div>
    </>
  );
};
