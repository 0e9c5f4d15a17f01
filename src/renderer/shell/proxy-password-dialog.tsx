import { Button, Field, Input, makeStyles, Text, tokens } from '@fluentui/react-components';
import { type FormEvent, useId, useState } from 'react';
import type { WantedPassword } from '../../contract/connection.ts';
import { useAction, useDesk } from '../state/store.tsx';
import { DialogFrame } from '../ui/dialog-frame.tsx';
import { stacked } from '../ui/styles.ts';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  form: stacked(tokens.spacingVerticalM),
});

type PasswordFormProps = WantedPassword & {
  readonly id: string;
  readonly user: string;
  readonly onUser: (user: string) => void;
};

const PasswordForm = ({ id, proxy, wrong, user, onUser }: PasswordFormProps) => {
  const styles = useStyles();
  const { network } = useDesk();
  const [password, setPassword] = useState('');
  const enter = useAction(network.enterProxyPassword);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (user !== '' && !enter.busy) enter.run({ proxy, user, password });
  };
  return (
    <form id={id} className={styles.form} onSubmit={submit}>
      <Text>{t(wrong ? 'shell.proxy.wrong' : 'shell.proxy.wanted', { proxy })}</Text>
      <Field label={t('shell.proxy.user')} required>
        <Input value={user} autoComplete="off" spellCheck={false} onChange={(_, { value }) => onUser(value)} />
      </Field>
      <Field label={t('shell.proxy.password')} hint={t('shell.proxy.kept')}>
        <Input type="password" value={password} autoComplete="off" onChange={(_, { value }) => setPassword(value)} />
      </Field>
    </form>
  );
};

type ProxyPasswordDialogProps = { readonly wanted: WantedPassword; readonly open: boolean };

export const ProxyPasswordDialog = ({ wanted, open }: ProxyPasswordDialogProps) => {
  const { network } = useDesk();
  const dismiss = useAction(network.dismissProxyPassword);
  const id = useId();
  const [{ user, of }, setUser] = useState({ user: '', of: wanted.proxy });
  return (
    <DialogFrame
      title={t('shell.proxy.title')}
      open={open}
      onClose={() => dismiss.run()}
      close={t('shell.proxy.later')}
      actions={
        <Button type="submit" form={id} appearance="primary">
          {t('shell.proxy.enter')}
        </Button>
      }
    >
      {/*
        A new key empties the password: for another proxy, after the first wrong one, and when the dialog opens or
        closes. The name stays for the same proxy.
      */}
      <PasswordForm
        key={`${wanted.proxy} ${wanted.wrong} ${open}`}
        id={id}
        {...wanted}
        user={of === wanted.proxy ? user : ''}
        onUser={(typed) => setUser({ user: typed, of: wanted.proxy })}
      />
    </DialogFrame>
  );
};
