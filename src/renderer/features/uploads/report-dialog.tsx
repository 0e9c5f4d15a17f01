import { Checkbox, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { z } from 'zod';
import { type DayRange, lastDays } from '../../../contract/day-range.ts';
import { type Batch, ReceiptFormat, ReportBy, type SavedReceipts } from '../../../contract/uploads.ts';
import { asOne, countUploads, outcomeText } from '../../domain/uploads/batch-words.ts';
import { anyTime, boundsOf, isStartedIn, PeriodChoice, periods } from '../../domain/uploads/period-choice.tsx';
import { SavedFiles } from '../../domain/uploads/save-receipt.tsx';
import { useDesk, useRemembered, useSnapshot } from '../../state/store.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { useNow } from '../../ui/hooks.ts';
import { Line } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(200px, 1fr))',
    gap: tokens.spacingHorizontalL,
  },
  period: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: tokens.spacingHorizontalM },
});

/** What is remembered for the next report. `name`: the name of the period, or `any`. */
const Options = z.object({
  name: z.enum([...periods, 'any']),
  by: ReportBy,
  format: ReceiptFormat,
  listsFiles: z.boolean(),
});
type Options = z.infer<typeof Options>;

const usual: Options = { name: 'lastMonth', by: 'assignment', format: 'pdf', listsFiles: false };

const { name: _, ...noDays } = anyTime;

export const ReportDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const styles = useStyles();
  const { receipts } = useDesk();
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const [options = usual, remember] = useRemembered('uploads.report', Options);
  const [days, setDays] = useState(noDays);
  const { by, format, listsFiles } = options;
  const choose = (change: Partial<Options>): void => remember({ ...options, ...change });
  const period = { ...days, name: options.name === 'any' ? undefined : options.name };
  const [saved, setSaved] = useState<SavedReceipts>();
  const now = new Date(useNow(60_000));
  const bounds = boundsOf(period, now);
  const included = batches.filter((batch) => isStartedIn(batch, bounds));
  const [isSaving, setSaving] = useState(false);
  const save = async (): Promise<void> => {
    setSaving(true);
    try {
      setSaved(await receipts.report({ by, ...daysOf(included), ...bounds, format, listsFiles }));
    } finally {
      setSaving(false);
    }
  };
  const whole = asOne(included);
  return (
    <DialogFrame
      title={t('uploads.report.title')}
      onClose={onClose}
      close={t('common.close')}
      main={{
        label: t('uploads.report.save'),
        disabled: whole === undefined,
        act: (form) => form.checkValidity() && save(),
      }}
    >
      <div className={styles.period}>
        <PeriodChoice
          value={period}
          onChange={({ name, ...others }) => {
            choose({ name: name ?? 'any' });
            setDays(others);
          }}
          isLabelled
        />
      </div>
      <Text role="status">
        {whole === undefined
          ? t('uploads.report.none')
          : t('uploads.report.about', {
              uploads: t('uploads.report.uploads', { count: countUploads(included) }),
              outcome: outcomeText(whole),
            })}
      </Text>
      <div className={styles.fields}>
        <SelectField
          label={t('uploads.report.by')}
          values={ReportBy.options}
          nameOf={(value) => t(`uploads.report.each.${value}`)}
          value={by}
          onChoose={(chosen) => choose({ by: chosen })}
        />
        <SelectField
          label={t('uploads.report.format')}
          values={ReceiptFormat.options}
          nameOf={(value) => t(`uploads.receipt.format.${value}`)}
          value={format}
          onChoose={(chosen) => choose({ format: chosen })}
        />
      </div>
      <Checkbox
        label={t('uploads.report.listFiles')}
        checked={listsFiles}
        onChange={(_, { checked }) => choose({ listsFiles: checked === true })}
      />
      <Line>
        <SavedFiles of="report" busy={isSaving} saved={saved} />
      </Line>
    </DialogFrame>
  );
};

/** The days from the first batch to today, or to a later day if the clock was ahead when a batch was started. */
const daysOf = (batches: readonly Batch[]): DayRange => {
  const startedMs = batches.map(({ createdAtMs }) => createdAtMs);
  const { fromMs } = lastDays(new Date(Math.min(...startedMs)), 1);
  return { fromMs, beforeMs: lastDays(new Date(Math.max(Date.now(), ...startedMs)), 1).beforeMs };
};
