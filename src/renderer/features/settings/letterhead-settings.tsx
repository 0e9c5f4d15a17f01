import { Field, Image, Input, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import type { Letterhead, ManagedPath } from '../../../contract/preferences.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { FailureBar } from '../../domain/errors.tsx';
import { managedField, useManaged } from '../../domain/managed.tsx';
import { usePreference } from '../../domain/setting-choice.tsx';
import { useLogo } from '../../queries/answers.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { Line } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  field: { width: '100%', maxWidth: '340px' },
  // Logos are made for paper.
  logo: {
    justifySelf: 'start',
    maxWidth: '240px',
    maxHeight: '72px',
    padding: tokens.spacingHorizontalS,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'white',
  },
});

/** The name of the person who is signed in, and the name and the logo of the office, as receipts and reports show them. */
export const LetterheadSettings = () => {
  const [letterhead, set] = usePreference('letterhead');
  const subject = useSnapshot(({ session }) => (session.state === 'signed-in' ? session.subject : undefined)) ?? '';
  const { [subject]: person = '', ...others } = letterhead.people;
  const { office = '', ...rest } = letterhead;
  const withOffice = (name: string): Letterhead => (name === '' ? rest : { ...rest, office: name });
  return (
    <>
      <NameField
        key={subject}
        label={t('settings.letterhead.person')}
        hint={t('settings.letterhead.personHint')}
        name={person}
        onChange={(name) => set({ ...letterhead, people: name === '' ? others : { ...others, [subject]: name } })}
      />
      <NameField
        label={t('settings.letterhead.office')}
        path="letterhead.office"
        name={office}
        onChange={(name) => set(withOffice(name))}
      />
      <Logo path={letterhead.logo} />
    </>
  );
};

const MOST_LETTERS = 100;

type NameFieldProps = {
  readonly label: string;
  readonly hint?: string;
  readonly path?: ManagedPath;
  readonly name: string;
  readonly onChange: (name: string) => void;
};

/** A name that is stored when the field is left. */
const NameField = ({ label, hint, path, name, onChange }: NameFieldProps) => {
  const styles = useStyles();
  const managed = useManaged(path);
  const [typed, setTyped] = useState<string>();
  const store = (): void => {
    setTyped(undefined);
    if (typed !== undefined && typed.trim() !== name) onChange(typed.trim());
  };
  return (
    <Field className={styles.field} label={label} {...(managed ? managedField() : hint !== undefined && { hint })}>
      <Input
        value={typed ?? name}
        readOnly={managed}
        maxLength={MOST_LETTERS}
        autoComplete="off"
        onChange={(_, { value }) => setTyped(value)}
        onBlur={store}
        onKeyDown={({ key }) => key === 'Enter' && store()}
      />
    </Field>
  );
};

/** The logo, and buttons that choose another one or remove it. `path`: where it is stored. */
const Logo = ({ path }: { readonly path: string | undefined }) => {
  const styles = useStyles();
  const { receipts } = useDesk();
  const managed = useManaged('letterhead.logo');
  const { value, error, reload } = useLogo(path);
  return (
    <>
      <Field
        className={styles.field}
        label={t('settings.letterhead.logo')}
        {...(managed ? managedField() : { hint: t('settings.letterhead.logoHint') })}
      >
        {path === undefined ? (
          <Input readOnly value={t('settings.letterhead.noLogo')} />
        ) : (
          <Image className={styles.logo} fit="contain" src={value} alt={t('settings.letterhead.logo')} />
        )}
      </Field>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      {!managed && (
        <Line>
          <ActionButton act={receipts.pickLogo}>{t('settings.letterhead.pick')}</ActionButton>
          {path !== undefined && (
            <ActionButton act={receipts.forgetLogo}>{t('settings.letterhead.forget')}</ActionButton>
          )}
        </Line>
      )}
    </>
  );
};
