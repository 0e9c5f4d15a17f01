import { Button, makeStyles, Spinner, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { useFocusOnMount } from '../../ui/use-focus-on-mount.ts';
import { useNow } from '../../ui/use-now.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  hint: { color: tokens.colorNeutralForeground3 },
});

/** Shown while the person signs in in the browser. `expiresAt`: ms since 1970. */
export const SignInWaiting = ({ expiresAt }: { readonly expiresAt: number }) => {
  const styles = useStyles();
  const { session } = useDesk();
  const [copied, setCopied] = useState(false);
  const cancel = useAction(session.cancelSignIn);
  const openAgain = useAction(session.openAgain);
  const copy = useAction(async () => {
    await session.copyAddress();
    setCopied(true);
  });
  const actions = useFocusOnMount<HTMLDivElement>('button');
  const minutes = Math.max(1, Math.ceil((expiresAt - useNow(10_000)) / 60_000));
  return (
    <>
      <Spinner label={t('signIn.waiting')} labelPosition="after" size="small" />
      <Text>{t('signIn.finish', { count: minutes })}</Text>
      <div ref={actions} className={styles.actions}>
        <Button disabledFocusable={cancel.busy} onClick={() => cancel.run()}>
          {t('common.cancel')}
        </Button>
        <Button appearance="subtle" disabledFocusable={openAgain.busy} onClick={() => openAgain.run()}>
          {t('signIn.openAgain')}
        </Button>
        <Button appearance="subtle" disabledFocusable={copy.busy} onClick={() => copy.run()}>
          {t('signIn.copyAddress')}
        </Button>
      </div>
      <Text role="status" className={styles.hint}>
        {copied ? t('signIn.copied') : t('signIn.notOpened')}
      </Text>
    </>
  );
};
