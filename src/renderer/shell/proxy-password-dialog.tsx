import { Field, Input, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import type { WantedPassword } from '../../contract/connection.ts';
import { useAction, useDesk } from '../state/store.tsx';
import { DialogFrame } from '../ui/dialog-frame.tsx';
import { stacked } from '../ui/styles.ts';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  form: stacked(tokens.spacingVerticalM),
});

type ProxyPasswordDialogProps = { readonly wanted: WantedPassword; readonly open: boolean };

export const ProxyPasswordDialog = ({ wanted: { proxy, wrong, inClear }, open }: ProxyPasswordDialogProps) => {
  const styles = useStyles();
  const { network } = useDesk();
  const enter = useAction(network.enterProxyPassword);
  const dismiss = useAction(network.dismissProxyPassword);
  /** The name that was typed last. It outlives the fields, which are removed when the dialog closes. */
  const [typed, setTyped] = useState({ proxy, user: '' });
  const user = typed.proxy === proxy ? typed.user : '';
  const submit = (form: HTMLFormElement): void => {
    const password = String(new FormData(form).get('password'));
    if (form.reportValidity() && !enter.busy) enter.run({ proxy, inClear, user, password });
  };
  return (
    <DialogFrame
      title={t('shell.proxy.title')}
      open={open}
      onClose={() => dismiss.run()}
      close={t('shell.proxy.later')}
      main={{ label: t('shell.proxy.enter'), act: submit }}
    >
      <div className={styles.form}>
        <Text>{t(wrong ? 'shell.proxy.wrong' : 'shell.proxy.wanted', { proxy })}</Text>
        {inClear && <Text>{t('shell.proxy.inClear')}</Text>}
        <Field label={t('shell.proxy.user')} required>
          <Input
            value={user}
            autoComplete="off"
            spellCheck={false}
            onChange={(_, { value }) => setTyped({ proxy, user: value })}
          />
        </Field>
        {/*
         * A new key empties the field: for another proxy, after the first wrong password, and when the dialog closes.
         */}
        <Field key={`${proxy} ${wrong} ${open}`} label={t('shell.proxy.password')} hint={t('shell.proxy.kept')}>
          <Input name="password" type="password" autoComplete="off" />
        </Field>
      </div>
    </DialogFrame>
  );
};
