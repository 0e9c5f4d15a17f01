/** Adding a watched folder, and changing one: the form of its rules, and its two dialogs. */
import { Button, Checkbox, Field, makeStyles, Radio, RadioGroup, Select } from '@fluentui/react-components';
import { useState } from 'react';
import { OnClash } from '../../../contract/uploads.ts';
import type { Folder, WatchedFolder } from '../../../contract/watched-folders.ts';
import { TargetField } from '../../domain/assignments/target-field.tsx';
import { TimeRange } from '../../domain/date-field.tsx';
import { hoursChoice, hoursChoices, withChoice } from '../../domain/uploads/hours-choice.ts';
import { useAction, useDesk } from '../../state/context.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { t } from '../../words/words.ts';
import { type FormRules, rulesOf, withTarget } from './rules.ts';

const useStyles = makeStyles({ field: { maxWidth: '340px', gridTemplateColumns: 'minmax(0, 1fr)' } });

type RulesFormProps = {
  readonly rules: FormRules;
  readonly onChange: (rules: FormRules) => void;
  /** Called with whether an assignment still has to be chosen. */
  readonly onIncomplete: (isIncomplete: boolean) => void;
};

/** Where the files go, when they are sent, and what happens if a name is taken. */
export const RulesForm = ({ rules, onChange, onIncomplete }: RulesFormProps) => {
  const styles = useStyles();
  const [wantsOne, setWantsOne] = useState(rules.AssignmentId !== undefined);
  const [period] = rules.hours;
  const when = hoursChoice(rules.hours);
  const choose = (isOne: boolean): void => {
    setWantsOne(isOne);
    onIncomplete(isOne && rules.AssignmentId === undefined);
    if (!isOne) onChange(withTarget(rules, undefined));
  };
  return (
    <>
      <Field label={t('watched.form.target')}>
        <RadioGroup value={wantsOne ? 'one' : 'each'} onChange={(_, { value }) => choose(value === 'one')}>
          <Radio value="each" label={t('watched.form.each')} />
          <Radio value="one" label={t('watched.form.one')} />
        </RadioGroup>
      </Field>
      {wantsOne && (
        <Field className={styles.field} label={t('assignment.title')}>
          <TargetField
            chosenId={rules.AssignmentId}
            onChoose={(AssignmentId) => {
              onIncomplete(false);
              onChange(withTarget(rules, AssignmentId));
            }}
          />
        </Field>
      )}
      <Field className={styles.field} label={t('watched.form.when')}>
        <Select
          value={when}
          onChange={(_, { value }) => {
            const chosen = hoursChoices(rules.hours).find((choice) => choice.value === value);
            if (chosen) onChange({ ...rules, hours: withChoice(rules.hours, chosen.value) });
          }}
        >
          {hoursChoices(rules.hours).map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {period && when !== 'special' && (
        <TimeRange
          from={period.from}
          to={period.to}
          labels={{ from: t('watched.form.from'), to: t('watched.form.to') }}
          onChange={(change) => onChange({ ...rules, hours: [{ ...period, ...change }] })}
        />
      )}
      <Field className={styles.field} label={t('newUpload.target.clashes')}>
        <Select
          value={rules.onClash}
          onChange={(_, { value }) => onChange({ ...rules, onClash: OnClash.parse(value) })}
        >
          {OnClash.options.map((choice) => (
            <option key={choice} value={choice}>
              {t(`newUpload.clash.${choice}`)}
            </option>
          ))}
        </Select>
      </Field>
    </>
  );
};

type AddDialogProps = { readonly folder: Folder; readonly onClose: () => void };

/** Asks what happens with the files of a folder before it is watched. */
export const AddDialog = ({ folder, onClose }: AddDialogProps) => {
  const { watchedFolders } = useDesk();
  const [rules, setRules] = useState<FormRules>({ onClash: 'rename', hours: [] });
  const [isIncomplete, setIncomplete] = useState(false);
  const [existing, setExisting] = useState(false);
  const add = useAction(async () => {
    await watchedFolders.add({ folderId: folder.folderId, rules, existing });
    onClose();
  });
  return (
    <DialogFrame
      title={t('watched.form.addTitle', { folder: folder.name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button appearance="primary" disabledFocusable={isIncomplete || add.busy} onClick={() => add.run()}>
            {t('watched.form.add')}
          </Button>
        </>
      }
    >
      <RulesForm rules={rules} onChange={setRules} onIncomplete={setIncomplete} />
      <Checkbox
        label={t('watched.form.existing')}
        checked={existing}
        onChange={(_, { checked }) => setExisting(checked === true)}
      />
    </DialogFrame>
  );
};

type ChangeDialogProps = { readonly folder: WatchedFolder; readonly onClose: () => void };

/** Changes what happens with the files of a watched folder from now on. */
export const ChangeDialog = ({ folder, onClose }: ChangeDialogProps) => {
  const { watchedFolders } = useDesk();
  const [rules, setRules] = useState<FormRules>(() => rulesOf(folder));
  const [isIncomplete, setIncomplete] = useState(false);
  const { watchedId, paused } = folder;
  const change = useAction(async () => {
    await watchedFolders.change({ watchedId, rules: { ...rules, paused } });
    onClose();
  });
  return (
    <DialogFrame
      title={t('watched.form.changeTitle', { folder: folder.name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button appearance="primary" disabledFocusable={isIncomplete || change.busy} onClick={() => change.run()}>
            {t('watched.form.save')}
          </Button>
        </>
      }
    >
      <RulesForm rules={rules} onChange={setRules} onIncomplete={setIncomplete} />
    </DialogFrame>
  );
};
