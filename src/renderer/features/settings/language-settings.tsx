import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { Preferences } from '../../../contract/preferences.ts';
import { TimeBase } from '../../../contract/service-time.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { formats, languageName, localeOf } from '../../words/formats.ts';
import { t } from '../../words/words.ts';
import { SettingChoice } from './setting-choice.tsx';

const useStyles = makeStyles({
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(260px, 1fr))',
    alignItems: 'start',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXXL}`,
  },
  example: { color: tokens.colorNeutralForeground3 },
});

const { language: Language, dateFormat: DateFormat } = Preferences.shape;

/** A time and a number that look different in each format. */
const exampleMs = new Date(2026, 2, 31, 14, 5).getTime();
const exampleNumber = 12_345.6;

/** How dates and numbers are written, and how the service's times are read. */
export const LanguageSettings = () => {
  const styles = useStyles();
  const desk = useDesk();
  const preferences = useSnapshot((snapshot) => snapshot.preferences);
  const systemLocale = useSnapshot((snapshot) => snapshot.locale);
  const { language, dateFormat, timeBase } = preferences;
  const choose = useAction((patch: Partial<Preferences>) => desk.preferences.set(patch));
  const nameOf = (value: Preferences['language']): string =>
    languageName(localeOf({ ...preferences, language: value, systemLocale }));
  return (
    <>
      <div className={styles.fields}>
        <SettingChoice
          label={t('settings.language')}
          hint={t('settings.languageHint')}
          value={language}
          choices={Language.options.map((value) => ({
            value,
            name: value === 'system' ? t('settings.asSystem', { what: nameOf(value) }) : nameOf(value),
          }))}
          onChoose={(value) => choose.run({ language: value })}
        />
        <SettingChoice
          label={t('settings.dateFormat')}
          value={dateFormat}
          choices={DateFormat.options.map((value) => ({ value, name: t(`settings.dateFormats.${value}`) }))}
          onChoose={(value) => choose.run({ dateFormat: value })}
        />
        <SettingChoice
          label={t('settings.timeBase')}
          hint={t('settings.timeBaseHint')}
          value={timeBase}
          choices={TimeBase.options.map((value) => ({ value, name: t(`settings.timeBases.${value}`) }))}
          onChoose={(value) => choose.run({ timeBase: value })}
        />
      </div>
      <Text className={styles.example} role="status">
        {t('settings.example', { moment: formats().moment(exampleMs), number: formats().number(exampleNumber) })}
      </Text>
    </>
  );
};
