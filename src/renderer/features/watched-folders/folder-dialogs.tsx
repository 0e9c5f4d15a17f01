import { Checkbox, Field, makeStyles, Radio, RadioGroup } from '@fluentui/react-components';
import { useState } from 'react';
import { OnClash } from '../../../contract/uploads.ts';
import type { Folder, WatchedFolder, WatchedRules } from '../../../contract/watched-folders.ts';
import { TargetField } from '../../domain/assignments/target-field.tsx';
import { TaskDialog } from '../../domain/task-dialog.tsx';
import { HoursField } from '../../domain/uploads/hours-choice.tsx';
import { rulesOf } from '../../domain/watched.tsx';
import { useDesk } from '../../state/store.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({ field: { maxWidth: '340px', gridTemplateColumns: 'minmax(0, 1fr)' } });

type FormRules = Omit<WatchedRules, 'paused'>;

/**
 * Returns a `form` for rules (where the files go, when they are sent, and what happens if a name is taken), and
 * `complete`, the rules that the form describes; `complete` is undefined while an assignment is missing.
 */
const useRulesForm = (initial: FormRules) => {
  const styles = useStyles();
  const [{ AssignmentId, ...rules }, setRules] = useState(initial);
  /**
   * Whether everything goes to one assignment, which may not have been chosen yet. Otherwise each subfolder goes to its
   * own assignment.
   */
  const [isOne, setOne] = useState(initial.AssignmentId !== undefined);
  const set = (changed: Partial<FormRules>): void => setRules((before) => ({ ...before, ...changed }));
  const form = (
    <>
      <Field label={t('watched.form.target')}>
        <RadioGroup value={isOne ? 'one' : 'each'} onChange={(_, { value }) => setOne(value === 'one')}>
          <Radio value="each" label={t('watched.form.each')} />
          <Radio value="one" label={t('watched.form.one')} />
        </RadioGroup>
      </Field>
      {isOne && (
        <Field className={styles.field} label={t('assignment.title')}>
          <TargetField chosenId={AssignmentId} onChoose={(chosen) => set({ AssignmentId: chosen })} />
        </Field>
      )}
      <HoursField label={t('watched.form.when')} hours={rules.hours} onChange={(hours) => set({ hours })} />
      <SelectField
        className={styles.field}
        label={t('newUpload.target.clashes')}
        values={OnClash.options}
        nameOf={(onClash) => t(`newUpload.clash.${onClash}`)}
        value={rules.onClash}
        onChoose={(onClash) => set({ onClash })}
      />
    </>
  );
  const target = isOne && AssignmentId !== undefined ? { AssignmentId } : {};
  return { form, complete: isOne && AssignmentId === undefined ? undefined : { ...rules, ...target } };
};

type AddDialogProps = { readonly folder: Folder; readonly onClose: () => void };

export const AddDialog = ({ folder, onClose }: AddDialogProps) => {
  const { watchedFolders } = useDesk();
  const { form, complete: rules } = useRulesForm({ onClash: 'rename', hours: [] });
  const [existing, setExisting] = useState(false);
  return (
    <TaskDialog
      title={t('watched.form.addTitle', { folder: folder.name })}
      action={t('watched.form.add')}
      act={async () => rules && watchedFolders.add({ folderId: folder.folderId, rules, existing })}
      disabled={rules === undefined}
      onClose={onClose}
    >
      {form}
      <Checkbox
        label={t('watched.form.existing')}
        checked={existing}
        onChange={(_, { checked }) => setExisting(checked === true)}
      />
    </TaskDialog>
  );
};

type ChangeDialogProps = { readonly folder: WatchedFolder; readonly onClose: () => void };

export const ChangeDialog = ({ folder, onClose }: ChangeDialogProps) => {
  const { watchedFolders } = useDesk();
  const { watchedId, paused } = folder;
  const { form, complete: rules } = useRulesForm(rulesOf(folder));
  return (
    <TaskDialog
      title={t('watched.form.changeTitle', { folder: folder.name })}
      action={t('watched.form.save')}
      act={async () => rules && watchedFolders.change({ watchedId, rules: { ...rules, paused } })}
      disabled={rules === undefined}
      onClose={onClose}
    >
      {form}
    </TaskDialog>
  );
};
