import { LogLevel } from '../../../contract/preferences.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { t } from '../../words/words.ts';
import { SettingChoice } from './setting-choice.tsx';

/** How much the log says. */
export const LogSettings = () => {
  const { preferences } = useDesk();
  const logLevel = useSnapshot((snapshot) => snapshot.preferences.logLevel);
  const choose = useAction((level: LogLevel) => preferences.set({ logLevel: level }));
  return (
    <SettingChoice
      label={t('settings.logLevel')}
      path="log.level"
      value={logLevel}
      choices={LogLevel.options.map((value) => ({ value, name: t(`settings.logLevels.${value}`) }))}
      onChoose={choose.run}
    />
  );
};
