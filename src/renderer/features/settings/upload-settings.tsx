import { Field, makeStyles, Select } from '@fluentui/react-components';
import { useDesk, useSnapshot } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({ field: { maxWidth: '280px' } });

const usual = [1, 2, 4, 8, 16, 32, 64];

/** How many files are sent at once. */
export const UploadSettings = () => {
  const { preferences } = useDesk();
  const concurrency = useSnapshot((snapshot) => snapshot.preferences.concurrency);
  const choose = useAction((value: number) => preferences.set({ concurrency: value }));
  const choices = [...new Set([...usual, concurrency])].sort((a, b) => a - b);
  return (
    <Field className={useStyles().field} label={t('settings.concurrency')} hint={t('settings.concurrencyHint')}>
      <Select value={concurrency} onChange={(_, { value }) => choose.run(Number(value))}>
        {choices.map((count) => (
          <option key={count} value={count}>
            {count}
          </option>
        ))}
      </Select>
    </Field>
  );
};
