import { makeStyles, Radio, RadioGroup } from '@fluentui/react-components';
import { Preferences } from '../../../contract/preferences.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { t } from '../../words/words.ts';

const themes = Preferences.shape.appearance;

const useStyles = makeStyles({ themes: { flexWrap: 'wrap' } });

/** Light, dark, or the same as the system. */
export const AppearanceSettings = () => {
  const styles = useStyles();
  const { preferences } = useDesk();
  const appearance = useSnapshot((snapshot) => snapshot.preferences.appearance);
  const choose = useAction((value: Preferences['appearance']) => preferences.set({ appearance: value }));
  return (
    <RadioGroup
      className={styles.themes}
      layout="horizontal"
      aria-label={t('settings.theme')}
      value={appearance}
      onChange={(_, { value }) => choose.run(themes.parse(value))}
    >
      {themes.options.map((value) => (
        <Radio key={value} value={value} label={t(`settings.themes.${value}`)} />
      ))}
    </RadioGroup>
  );
};
