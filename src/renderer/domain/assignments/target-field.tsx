import { Combobox, makeStyles, Option } from '@fluentui/react-components';
import { useState } from 'react';
import { type AssignmentSummary, assignmentName } from '../../../contract/resources.ts';
import { useAssignment, useCallQuery, useCalls } from '../../queries/query.tsx';
import { t } from '../../words/words.ts';
import { errorSentences } from '../errors.tsx';
import { assignmentParts } from './assignments.tsx';

const useStyles = makeStyles({
  list: { zIndex: 4, minWidth: 'min(340px, calc(100vw - 24px))', maxHeight: 'min(360px, 50vh)' },
  target: { minWidth: 0, '& input': { minWidth: 0, textOverflow: 'ellipsis' } },
});

const most = 20;

/** Returns the name of an assignment, and what else tells it apart from others at its address. */
const optionText = (assignment: AssignmentSummary): string => {
  const [, ...others] = assignmentParts(assignment);
  return [assignmentName(assignment), ...others].filter(Boolean).join(' · ');
};

type TargetFieldProps = {
  readonly chosenId: string | undefined;
  readonly onChoose: (AssignmentId: string) => void;
};

export const TargetField = ({ chosenId, onChoose }: TargetFieldProps) => {
  const styles = useStyles();
  const [typed, setTyped] = useState<string>();
  const [input, setInput] = useState<HTMLInputElement | null>(null);
  const chosen = useAssignment(chosenId).value?.assignment;
  const name = chosen && chosenId !== undefined ? assignmentName(chosen) : (chosenId ?? '');
  const text = typed ?? '';
  // Until the search for a text has a result, the assignments found for the previous text stay.
  const search = useCallQuery({ ...useCalls().search.find({ text, limit: most }), enabled: text !== '' });
  const found = search.value?.assignments ?? [];
  return (
    <Combobox
      className={styles.target}
      ref={setInput}
      // The list opens inside the dialog or `main` that contains the field. Elsewhere it would be outside the page's
      // landmarks.
      mountNode={input?.closest<HTMLElement>('[role="dialog"], main') ?? null}
      aria-label={t('newUpload.target.search')}
      placeholder={t('newUpload.target.search')}
      {...(typed === undefined && { title: name })}
      listbox={{ className: styles.list }}
      value={typed ?? name}
      selectedOptions={chosenId === undefined ? [] : [chosenId]}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => setTyped(undefined)}
      onOptionSelect={(_, { optionValue }) => {
        // Fluent clears the selected option when the user types over its name; the chosen assignment stays.
        if (optionValue === undefined) return;
        setTyped(undefined);
        onChoose(optionValue);
      }}
    >
      {found.map((assignment) => (
        <Option key={assignment.AssignmentId} value={assignment.AssignmentId} text={assignmentName(assignment)}>
          {optionText(assignment)}
        </Option>
      ))}
      {found.length === 0 && (search.error ?? search.isCurrent) && (
        <Option disabled value="" text="">
          {search.error ? errorSentences(search.error) : t('newUpload.target.nothing')}
        </Option>
      )}
    </Combobox>
  );
};
