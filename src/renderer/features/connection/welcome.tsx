import { Button, makeStyles, Text, tokens, typographyStyles } from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { ActionButton } from '../../domain/actions.tsx';
import { ConnectionForm } from '../../domain/connection/connection-form.tsx';
import { useDesk, useSnapshot } from '../../state/store.tsx';
import { stacked } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  welcome: {
    boxSizing: 'border-box',
    height: '100%',
    overflow: 'auto',
    display: 'grid',
    placeItems: 'center',
    padding: tokens.spacingHorizontalXXL,
    '@media (max-width: 479px)': { padding: tokens.spacingHorizontalS, gridTemplateColumns: 'minmax(0, 1fr)' },
    backgroundColor: tokens.colorNeutralBackground3,
  },
  card: {
    boxSizing: 'border-box',
    width: '100%',
    maxWidth: '560px',
    ...stacked(tokens.spacingVerticalL),
    padding: '40px',
    '@media (max-width: 479px)': { padding: tokens.spacingHorizontalL, overflowWrap: 'anywhere' },
    borderRadius: tokens.borderRadiusXLarge,
    border: `1px solid ${tokens.colorTransparentStroke}`,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow8,
  },
  heading: {
    margin: 0,
    ...typographyStyles.title2,
  },
  lead: { color: tokens.colorNeutralForeground2 },
  choices: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
});

/**
 * The first screen, which is shown until a service is set up. `notices`: messages, for example why a stored connection
 * is not used.
 */
export const Welcome = ({ notices }: { readonly notices: ReactNode }) => {
  const styles = useStyles();
  const { connection } = useDesk();
  const [connecting, setConnecting] = useState(false);
  const sampleData = useSnapshot(({ office }) => office.sampleData);
  return (
    <main className={styles.welcome}>
      <div className={styles.card}>
        {notices}
        <h1 className={styles.heading}>{connecting ? t('connection.title') : t('connection.welcome')}</h1>
        {connecting ? (
          <>
            <Text className={styles.lead}>{t('connection.values')}</Text>
            <ConnectionForm onCancel={() => setConnecting(false)} />
          </>
        ) : (
          <>
            <Text className={styles.lead}>{t('connection.lead')}</Text>
            <div className={styles.choices}>
              {sampleData && (
                <ActionButton appearance="primary" size="large" act={connection.useSample}>
                  {t('connection.sample')}
                </ActionButton>
              )}
              <Button
                appearance={sampleData ? 'secondary' : 'primary'}
                size="large"
                onClick={() => setConnecting(true)}
              >
                {t('connection.title')}
              </Button>
            </div>
            <Text className={styles.lead} size={200}>
              {sampleData ? t('connection.sampleNote') : t('connection.sampleOff')}
            </Text>
          </>
        )}
      </div>
    </main>
  );
};
