import { Field, makeStyles, Select, tokens } from '@fluentui/react-components';
import { type ChangeEvent, useState } from 'react';
import type { Draft } from '../../../contract/drafts.ts';
import { NameTemplate, OnClash } from '../../../contract/uploads.ts';
import { TargetField } from '../../domain/assignments/target-field.tsx';
import { nameTemplates } from '../../domain/uploads/name-templates.ts';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { t } from '../../words/words.ts';
import { ClashOptions } from './clash-list.tsx';
import { type Names, useNames } from './use-names.ts';

const useStyles = makeStyles({
  options: {
    display: 'flex',
    flexWrap: 'wrap',
    // Labels have one line or two; the fields below them stand side by side.
    alignItems: 'flex-end',
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalS}`,
    '@media (max-width: 479px)': { paddingInline: tokens.spacingHorizontalM },
  },
  field: { flex: '1 1 190px', minWidth: 0, maxWidth: '320px', gridTemplateColumns: 'minmax(0, 1fr)' },
});

/** Where everything goes, at which level of the folders the jobs lie, and how files are named. */
export const DraftOptions = ({ draft }: { readonly draft: Draft }) => {
  const styles = useStyles();
  const { drafts } = useDesk();
  const [wantsOne, setWantsOne] = useState(false);
  const isOne = wantsOne || draft.AssignmentId !== undefined;
  const setTarget = useAction((AssignmentId?: string) => drafts.setTarget(AssignmentId ? { AssignmentId } : {}));
  const setLevel = useAction((level: number) => drafts.setLevel({ level }));
  const { remember } = useNames();
  const setNames = useAction((changed: Partial<Names>) => {
    const names = { nameTemplate: draft.nameTemplate, onClash: draft.onClash, ...changed };
    remember(names);
    return drafts.setNames(names);
  });
  const onTarget = (_: ChangeEvent, { value }: { readonly value: string }): void => {
    setWantsOne(value === 'one');
    if (value === 'each' && draft.AssignmentId !== undefined) setTarget.run();
  };
  return (
    <div className={styles.options}>
      <Field className={styles.field} label={t('newUpload.target.label')}>
        <Select value={isOne ? 'one' : 'each'} onChange={onTarget}>
          <option value="each">{t('newUpload.target.each')}</option>
          <option value="one">{t('newUpload.target.one')}</option>
        </Select>
      </Field>
      {isOne ? (
        <Field className={styles.field} label={t('assignment.title')}>
          <TargetField chosenId={draft.AssignmentId} onChoose={setTarget.run} />
        </Field>
      ) : (
        draft.levels.length > 1 && (
          <Field className={styles.field} label={t('newUpload.target.level')}>
            <Select value={String(draft.level)} onChange={(_, { value }) => setLevel.run(Number(value))}>
              {draft.levels.map(({ level, folders: count }) => (
                <option key={level} value={level}>
                  {level === 0 ? t('newUpload.target.top', { count }) : t('newUpload.target.levelOf', { level, count })}
                </option>
              ))}
            </Select>
          </Field>
        )
      )}
      <Field className={styles.field} label={t('newUpload.target.names')}>
        <Select
          value={draft.nameTemplate}
          onChange={(_, { value }) => setNames.run({ nameTemplate: NameTemplate.parse(value) })}
        >
          {nameTemplates.map(({ template, name }) => (
            <option key={template} value={template}>
              {name()}
            </option>
          ))}
        </Select>
      </Field>
      <Field className={styles.field} label={t('newUpload.target.clashes')}>
        <Select value={draft.onClash} onChange={(_, { value }) => setNames.run({ onClash: OnClash.parse(value) })}>
          <ClashOptions />
        </Select>
      </Field>
    </div>
  );
};
