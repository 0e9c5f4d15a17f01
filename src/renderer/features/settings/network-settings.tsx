import { Button, Field, Input, makeStyles, Text, tokens } from '@fluentui/react-components';
import { compact, uniq } from 'es-toolkit';
import { type FormEvent, useState } from 'react';
import type { ProxySettings } from '../../../contract/preferences.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { managedField, useManaged } from '../../domain/managed.tsx';
import { SettingChoice } from '../../domain/setting-choice.tsx';
import { useAction, useDesk, useSnapshot } from '../../state/store.tsx';
import { Line } from '../../ui/page.tsx';
import { stacked } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  form: { ...stacked(tokens.spacingVerticalM), maxWidth: '480px' },
});

const modes = ['system', 'none', 'manual'] as const;

/** The choice of the proxy. A manual proxy takes effect once its address has been entered. */
const ProxyFields = () => {
  const { preferences } = useDesk();
  const managed = useManaged('network.proxy');
  const kept = useSnapshot((snapshot) => snapshot.preferences.network.proxy);
  const [entering, setEntering] = useState(false);
  const set = useAction(async (proxy: ProxySettings) => {
    await preferences.set({ network: { proxy } });
    setEntering(false);
  });
  const choose = (mode: ProxySettings['mode']): void => {
    const needsAddress = mode === 'manual' && kept.address === undefined;
    setEntering(needsAddress);
    if (!needsAddress) set.run({ ...kept, mode });
  };
  const mode = entering ? 'manual' : kept.mode;
  return (
    <>
      <SettingChoice
        label={t('settings.network.proxy')}
        path="network.proxy"
        value={mode}
        values={modes}
        nameOf={(value) => t(`settings.network.proxies.${value}`)}
        onChoose={choose}
      />
      {mode === 'manual' && <ProxyForm kept={kept} managed={managed} busy={set.busy} onApply={set.run} />}
    </>
  );
};

type ProxyFormProps = {
  readonly kept: ProxySettings;
  readonly managed: boolean;
  readonly busy: boolean;
  readonly onApply: (proxy: ProxySettings) => void;
};

const ProxyForm = ({ kept, managed, busy, onApply }: ProxyFormProps) => {
  const styles = useStyles();
  const [address, setAddress] = useState(kept.address ?? '');
  const [exceptions, setExceptions] = useState(kept.exceptions.join(', '));
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const complete = proxyAddress(address);
    setWrong(complete === undefined);
    if (complete !== undefined) onApply({ mode: 'manual', address: complete, exceptions: exceptionsIn(exceptions) });
  };
  const field = (name: 'address' | 'exceptions', value: string, set: (value: string) => void) => (
    <Field
      label={t(`settings.network.${name}`)}
      {...(managed ? managedField() : { hint: t(`settings.network.${name}Hint`) })}
      {...(name === 'address' && wrong && { validationMessage: t('settings.network.addressWrong') })}
    >
      <Input
        value={value}
        readOnly={managed}
        spellCheck={false}
        autoComplete="off"
        placeholder={name === 'address' ? 'http://proxy.example.com:8080' : ''}
        onChange={(_, changed) => set(changed.value)}
      />
    </Field>
  );
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {field('address', address, setAddress)}
      {field('exceptions', exceptions, setExceptions)}
      {!managed && (
        <Line>
          <Button type="submit" disabledFocusable={busy}>
            {t('settings.network.apply')}
          </Button>
        </Line>
      )}
    </form>
  );
};

const AuthorityFile = () => {
  const styles = useStyles();
  const { network } = useDesk();
  const managed = useManaged('network.caFile');
  const caFile = useSnapshot((snapshot) => snapshot.preferences.network.caFile);
  return (
    <div className={styles.form}>
      <Field label={t('settings.network.authorities')} {...(managed && managedField())}>
        <Input readOnly value={caFile ?? t('settings.network.noFile')} />
      </Field>
      {!managed && (
        <Line>
          <ActionButton act={network.pickCaFile}>{t('settings.network.pick')}</ActionButton>
          {caFile !== undefined && <ActionButton act={network.forgetCaFile}>{t('common.remove')}</ActionButton>}
        </Line>
      )}
    </div>
  );
};

export const NetworkSettings = () => (
  <>
    <Text>{t('settings.network.explained')}</Text>
    <ProxyFields />
    <AuthorityFile />
  </>
);

/**
 * Completes the address of a proxy: `office:8080` becomes `http://office:8080`. Returns undefined if `typed` is not an
 * HTTP, HTTPS or SOCKS 5 address, or has more than a scheme, a host and a port.
 */
const proxyAddress = (typed: string): string | undefined => {
  const text = typed.trim();
  const address = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(address);
  const isKnown = ['http:', 'https:', 'socks5:'].includes(protocol) && hostname !== '';
  const isMore = username + password + search + hash !== '' || (pathname !== '' && pathname !== '/');
  return isKnown && !isMore ? address.replace(/\/$/, '') : undefined;
};

/** Returns the distinct entries of a list that is separated by commas, semicolons, spaces or line breaks. */
const exceptionsIn = (typed: string): readonly string[] => uniq(compact(typed.split(/[\s,;]+/)));
