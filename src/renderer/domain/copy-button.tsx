import { Button, makeStyles, Tooltip, tokens } from '@fluentui/react-components';
import { Checkmark16Regular, Copy16Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  button: { minWidth: 0, height: '20px', padding: 0, '@media print': { display: 'none' } },
  said: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

/** A small button that copies `text` and says so beside it. */
export const CopyButton = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const styles = useStyles();
  const [said, say] = useState<string>();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say(t('shell.copied')),
      () => say(t('shell.copyImpossible')),
    );
  return (
    <>
      <Tooltip content={label} relationship="label">
        <Button
          className={styles.button}
          appearance="transparent"
          size="small"
          icon={said === undefined ? <Copy16Regular /> : <Checkmark16Regular />}
          onClick={copy}
          onBlur={() => say(undefined)}
        />
      </Tooltip>
      <span role="status" className={styles.said}>
        {said}
      </span>
    </>
  );
};
