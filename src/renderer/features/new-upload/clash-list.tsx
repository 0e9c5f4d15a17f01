import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { DraftClash, DraftRow } from '../../../contract/drafts.ts';
import { shownPath } from '../../../contract/text.ts';
import { OnClash } from '../../../contract/uploads.ts';
import { errorSentences } from '../../domain/errors.tsx';
import { useCallQuery, useCalls } from '../../queries/query.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Minor } from '../../ui/page.tsx';
import { bareList, stacked } from '../../ui/styles.ts';
import { formatDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  clashes: stacked(tokens.spacingVerticalS),
  heading: { margin: 0, fontSize: tokens.fontSizeBase300 },
  list: { ...bareList, ...stacked(tokens.spacingVerticalS) },
});

export const clashName = (onClash: OnClash): string => t(`newUpload.clash.${onClash}`);

const whereText = ({ with: other, folder, addedAtMs }: DraftClash): string => {
  if (other === 'this-upload')
    return folder === undefined ? t('newUpload.clash.hereUnknown') : t('newUpload.clash.here', { folder });
  return addedAtMs === undefined
    ? t('newUpload.clash.known')
    : t('newUpload.clash.earlier', { at: formatDay(addedAtMs) });
};

/** Returns the choices for a file whose name is taken. A file of the same upload cannot be replaced. */
const choicesFor = ({ with: other }: DraftClash): readonly OnClash[] =>
  OnClash.options.filter((onClash) => onClash !== 'replace' || other !== 'this-upload');

/**
 * Returns the choice that was made for all files; undefined if the choices differ. A file for which that choice is
 * impossible is renamed instead, and does not count as different.
 */
const commonOf = (clashes: readonly DraftClash[]): OnClash | undefined =>
  OnClash.options.find((onClash) =>
    clashes.every((clash) => clash.onClash === (choicesFor(clash).includes(onClash) ? onClash : 'rename')),
  );

type ClashListProps = {
  readonly row: DraftRow;
  /** Called with a choice for the files `paths`; without `paths`, for all files of the row. */
  readonly onChoose: (onClash: OnClash, paths?: readonly string[]) => void;
};

export const ClashList = ({ row, onChoose }: ClashListProps) => {
  const styles = useStyles();
  const { drafts } = useCalls();
  const { value, error } = useCallQuery({
    ...drafts.clashes({ rowId: row.rowId }),
    placeholderData: () => undefined,
  });
  if (error !== undefined) return <Text size={200}>{errorSentences(error)}</Text>;
  const { clashes = [], total = 0 } = value ?? {};
  if (clashes.length === 0) return null;
  const common = commonOf(clashes) ?? '';
  return (
    <section className={styles.clashes} aria-label={t('newUpload.clash.title')}>
      <h3 className={styles.heading}>{t('newUpload.clash.title')}</h3>
      <SelectField<OnClash | ''>
        label={t('newUpload.clash.all')}
        values={common === '' ? ['', ...OnClash.options] : OnClash.options}
        nameOf={(onClash) => (onClash === '' ? t('newUpload.clash.mixed') : clashName(onClash))}
        value={common}
        onChoose={(onClash) => onClash !== '' && onChoose(onClash)}
      />
      <ul className={styles.list}>
        {clashes.map((clash) => (
          <li key={clash.path}>
            <MiddleCut name={clash.FileName} title={shownPath(clash.path)} />
            <Minor size={200} block>
              {whereText(clash)}
            </Minor>
            <SelectField
              size="small"
              label={t('newUpload.clash.file', { file: clash.FileName })}
              isLabelled={false}
              values={choicesFor(clash)}
              nameOf={clashName}
              value={clash.onClash}
              onChoose={(onClash) => onChoose(onClash, [clash.path])}
            />
          </li>
        ))}
      </ul>
      {total > clashes.length && <Text size={200}>{t('newUpload.clash.more', { count: total - clashes.length })}</Text>}
    </section>
  );
};
