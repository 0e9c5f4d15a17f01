import { makeStyles, tokens } from '@fluentui/react-components';
import { t } from '../words/words.ts';
import { CopyButton } from './copy-button.tsx';

const useStyles = makeStyles({
  line: { display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', columnGap: tokens.spacingHorizontalXS },
  text: { minWidth: 0, overflowWrap: 'anywhere' },
});

/** A text, such as the id `name`, with a button that copies it. */
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
