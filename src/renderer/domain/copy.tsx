import { Button, makeStyles, Tooltip, tokens } from '@fluentui/react-components';
import { Checkmark16Regular, Copy16Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  button: { minWidth: 0, height: '20px', padding: 0, '@media print': { display: 'none' } },
  said: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  line: { display: 'inline-flex', alignItems: 'center', columnGap: tokens.spacingHorizontalXS },
  text: { minWidth: 0, overflowWrap: 'anywhere' },
});

/**
 * Copies texts to the clipboard. `isCopied` and `said` report whether the last copy succeeded, until `forget` is
 * called.
 */
export const useCopy = () => {
  const [isCopied, setCopied] = useState<boolean>();
  const copy = (text: string): void =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  const said = isCopied === undefined ? undefined : t(isCopied ? 'shell.copied' : 'shell.copyImpossible');
  return { copy, isCopied, said, forget: (): void => setCopied(undefined) };
};

export const CopyButton = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const styles = useStyles();
  const { copy, isCopied, said, forget } = useCopy();
  return (
    <>
      <Tooltip content={label} relationship="label">
        <Button
          className={styles.button}
          appearance="transparent"
          size="small"
          icon={isCopied ? <Checkmark16Regular /> : <Copy16Regular />}
          onClick={() => copy(text)}
          onBlur={forget}
        />
      </Tooltip>
      <span role="status" className={styles.said}>
        {said}
      </span>
    </>
  );
};

/**
 * Shows `text` with a button that copies it; a dash if it is empty. `name`: what the text is, such as "Assignment ID".
 */
export const CopiedText = ({ name, text }: { readonly name: string; readonly text: string }) => {
  const styles = useStyles();
  if (text === '') return '–';
  return (
    <span className={styles.line}>
      <span className={styles.text}>{text}</span>
      <CopyButton label={t('common.copy', { name })} text={text} />
    </span>
  );
};
