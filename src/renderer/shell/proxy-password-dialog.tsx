import { Button, Field, Input, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { WantedPassword } from '../../contract/connection.ts';
import { useAction, useDesk } from '../state/store.tsx';
import { DialogFrame } from '../ui/dialog-frame.tsx';
import { stacked } from '../ui/styles.ts';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  form: stacked(tokens.spacingVerticalM),
});

type ProxyPasswordDialogProps = { readonly wanted: WantedPassword; readonly open: boolean };

export const ProxyPasswordDialog = ({ wanted: { proxy, wrong }, open }: ProxyPasswordDialogProps) => {
  const styles = useStyles();
  const { network } = useDesk();
  const enter = useAction(network.enterProxyPassword);
  const dismiss = useAction(network.dismissProxyPassword);
  const submit = (form: HTMLFormElement): void => {
    const fields = new FormData(form);
    if (form.reportValidity() && !enter.busy)
      enter.run({ proxy, user: String(fields.get('user')), password: String(fields.get('password')) });
  };
  return (
    <DialogFrame
      title={t('shell.proxy.title')}
      open={open}
      onClose={() => dismiss.run()}
      onSubmit={submit}
      close={t('shell.proxy.later')}
      actions={
        <Button type="submit" appearance="primary">
          {t('shell.proxy.enter')}
        </Button>
      }
    >
      <div className={styles.form}>
        <Text>{t(wrong ? 'shell.proxy.wrong' : 'shell.proxy.wanted', { proxy })}</Text>
        {/*
          A new key empties a field. The name stays for the same proxy. The password is emptied for another proxy, after
          the first wrong one, and when the dialog opens or closes.
        */}
        <Field key={proxy} label={t('shell.proxy.user')} required>
          <Input name="user" autoComplete="off" spellCheck={false} />
        </Field>
        <Field key={`${proxy} ${wrong} ${open}`} label={t('shell.proxy.password')} hint={t('shell.proxy.kept')}>
          <Input name="password" type="password" autoComplete="off" />
        </Field>
      </div>
    </DialogFrame>
  );
};
