import { Checkbox, Field, makeStyles, Radio, RadioGroup } from '@fluentui/react-components';
import { useState } from 'react';
import { OnClash } from '../../../contract/uploads.ts';
import type { Folder, WatchedFolder, WatchedRules } from '../../../contract/watched-folders.ts';
import { TargetField } from '../../domain/assignments/target-field.tsx';
import { HoursField } from '../../domain/uploads/hours-choice.tsx';
import { rulesOf } from '../../domain/watched.tsx';
import { useDesk } from '../../state/store.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({ field: { maxWidth: '340px', gridTemplateColumns: 'minmax(0, 1fr)' } });

const usualRules: WatchedRules = { onClash: 'rename', hours: [], paused: false };

type FolderDialogProps = {
  /** A folder to watch, or a watched folder whose rules are to be changed. */
  readonly folder: Folder | WatchedFolder;
  readonly onClose: () => void;
};

/** A dialog for the rules of a watched folder: where its files go, when, and what happens if a name is taken. */
export const FolderDialog = ({ folder, onClose }: FolderDialogProps) => {
  const styles = useStyles();
  const { watchedFolders } = useDesk();
  const isNew = 'folderId' in folder;
  const [chosen, setRules] = useState(() => (isNew ? usualRules : rulesOf(folder)));
  const { AssignmentId, ...rules } = chosen;
  /**
   * Whether everything goes to one assignment, which may not have been chosen yet. Otherwise each subfolder goes to its
   * own assignment.
   */
  const [isOne, setOne] = useState(AssignmentId !== undefined);
  const [existing, setExisting] = useState(false);
  const set = (changed: Partial<WatchedRules>): void => setRules((before) => ({ ...before, ...changed }));
  const save = () => {
    const complete = isOne ? chosen : rules;
    if (isNew) return watchedFolders.add({ folderId: folder.folderId, rules: complete, existing });
    // Keeps `paused` as it is now, because the folder can have been paused or resumed since the dialog was opened.
    return watchedFolders.change({ watchedId: folder.watchedId, rules: { ...complete, paused: folder.paused } });
  };
  return (
    <DialogFrame
      title={t(isNew ? 'watched.form.addTitle' : 'watched.form.changeTitle', { folder: folder.name })}
      onClose={onClose}
      main={{
        label: t(isNew ? 'watched.form.add' : 'common.save'),
        disabled: isOne && AssignmentId === undefined,
        act: save,
        onDone: onClose,
      }}
    >
      <Field label={t('watched.form.target')}>
        <RadioGroup value={isOne ? 'one' : 'each'} onChange={(_, { value }) => setOne(value === 'one')}>
          <Radio value="each" label={t('watched.form.each')} />
          <Radio value="one" label={t('watched.form.one')} />
        </RadioGroup>
      </Field>
      {isOne && (
        <Field className={styles.field} label={t('common.assignment')}>
          <TargetField chosenId={AssignmentId} onChoose={(id) => set({ AssignmentId: id })} />
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
      {isNew && (
        <Checkbox
          label={t('watched.form.existing')}
          checked={existing}
          onChange={(_, { checked }) => setExisting(checked === true)}
        />
      )}
    </DialogFrame>
  );
};
