import { Button, Checkbox, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { lastDays } from '../../../contract/day-range.ts';
import { type Batch, ReceiptFormat, ReportBy, type SavedReceipts } from '../../../contract/uploads.ts';
import { asOne, outcomeText } from '../../domain/uploads/batch-words.ts';
import { anyTime, boundsOf, isStartedIn, PeriodChoice } from '../../domain/uploads/period-choice.tsx';
import { SavedFiles } from '../../domain/uploads/save-receipt.tsx';
import { useAction, useDesk, useSnapshot } from '../../state/store.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { SelectField } from '../../ui/fields.tsx';
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

export const ReportDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const styles = useStyles();
  const { receipts } = useDesk();
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const [period, setPeriod] = useState<typeof anyTime>({ ...anyTime, name: 'lastMonth' });
  const [by, setBy] = useState<ReportBy>('assignment');
  const [format, setFormat] = useState<ReceiptFormat>('pdf');
  const [listsFiles, setListsFiles] = useState(false);
  const [saved, setSaved] = useState<SavedReceipts>();
  const now = new Date();
  const bounds = boundsOf(period, now);
  const included = batches.filter((batch) => isStartedIn(batch, bounds));
  const save = useAction(async () => {
    const { fromMs = firstDay(included), beforeMs = lastDays(now, 1).beforeMs } = bounds;
    setSaved(await receipts.report({ by, fromMs, beforeMs, format, listsFiles }));
  });
  const whole = asOne(included);
  return (
    <DialogFrame
      title={t('uploads.report.title')}
      onClose={onClose}
      close={t('common.close')}
      actions={
        <Button appearance="primary" disabledFocusable={save.busy || whole === undefined} onClick={() => save.run()}>
          {t('uploads.report.save')}
        </Button>
      }
    >
      <div className={styles.period}>
        <PeriodChoice value={period} onChange={setPeriod} isLabelled />
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
          onChoose={setBy}
        />
        <SelectField
          label={t('uploads.report.format')}
          values={ReceiptFormat.options}
          nameOf={(value) => t(`uploads.receipt.format.${value}`)}
          value={format}
          onChoose={setFormat}
        />
      </div>
      <Checkbox
        label={t('uploads.report.listFiles')}
        checked={listsFiles}
        onChange={(_, { checked }) => setListsFiles(checked === true)}
      />
      <Line>
        <SavedFiles of="report" busy={save.busy} saved={saved} />
      </Line>
    </DialogFrame>
  );
};

const firstDay = (batches: readonly Batch[]): number =>
  lastDays(new Date(Math.min(...batches.map(({ createdAtMs }) => createdAtMs))), 1).fromMs;

const countUploads = (batches: readonly Batch[]): number => new Set(batches.map(({ uploadId }) => uploadId)).size;
