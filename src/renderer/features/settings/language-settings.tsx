import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { Language, Preferences } from '../../../contract/preferences.ts';
import { TimeBase } from '../../../contract/resources.ts';
import { localeOf } from '../../../words/formats.ts';
import { languageOf, languages } from '../../../words/languages.ts';
import { useAction, useDesk, useSnapshot } from '../../state/context.tsx';
import { formats, localeName } from '../../words/formats.ts';
import { spokenLocale, t } from '../../words/words.ts';
import { SettingChoice } from './setting-choice.tsx';

const useStyles = makeStyles({
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, min(340px, 100%))',
    alignItems: 'start',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXXL}`,
  },
  example: { color: tokens.colorNeutralForeground3 },
});

const { formats: FormatsChoice, dateFormat: DateFormat } = Preferences.shape;

/** A time and a number that look different in each format. */
const exampleMs = new Date(2026, 2, 31, 14, 5).getTime();
const exampleNumber = 12_345.6;

/** The language of the app, how dates and numbers are written, and how the service's times are read. */
export const LanguageSettings = () => {
  const styles = useStyles();
  const desk = useDesk();
  const preferences = useSnapshot((snapshot) => snapshot.preferences);
  const systemLocale = useSnapshot((snapshot) => snapshot.locale);
  const systemLanguage = useSnapshot((snapshot) => snapshot.systemLanguage) ?? languageOf(navigator.languages);
  const { language, formats: choice, dateFormat, timeBase } = preferences;
  const choose = useAction((patch: Partial<Preferences>) => desk.preferences.set(patch));
  const asSystem = (what: string): string => t('settings.asSystem', { what });
  const formatsName = (formats: Preferences['formats']): string => {
    const name = localeName(spokenLocale(), localeOf({ formats, systemLocale }));
    return formats === 'system' ? asSystem(name) : name;
  };
  return (
    <>
      <div className={styles.fields}>
        <SettingChoice
          label={t('settings.language')}
          value={language}
          choices={[
            { value: 'system', name: asSystem(languages[systemLanguage].name) },
            ...Language.options.map((value) => ({ value, name: languages[value].name })),
          ]}
          onChoose={(value) => choose.run({ language: value })}
        />
        <SettingChoice
          label={t('settings.formats')}
          value={choice}
          choices={FormatsChoice.options.map((value) => ({ value, name: formatsName(value) }))}
          onChoose={(value) => choose.run({ formats: value })}
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
