import { Combobox, makeStyles, Option } from '@fluentui/react-components';
import { useState } from 'react';
import { type AssignmentSummary, assignmentName } from '../../../contract/resources.ts';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { useAssignment, useCallQuery, useCalls } from '../../queries/query.tsx';
import { t } from '../../words/words.ts';
import { assignmentParts } from './assignments.tsx';

const useStyles = makeStyles({
  list: { zIndex: 4, minWidth: 'min(340px, calc(100vw - 24px))', maxHeight: 'min(360px, 50vh)' },
  target: { minWidth: 0, '& input': { minWidth: 0, textOverflow: 'ellipsis' } },
});

const most = 20;

/**
 * Searches assignments for `text`. Returns the assignments found, and the text that they were found for. Until the
 * search has a result, and while `text` is empty, returns the previous result, or undefined if there is none. If the
 * search fails, `assignments` is empty.
 */
export const useFoundTargets = (text: string) => {
  const { queryKey, queryFn } = useCalls().search.find({ text: text.slice(0, LONGEST_SEARCH), limit: most });
  return useCallQuery({
    queryKey: [...queryKey, text],
    queryFn: async () => ({
      text,
      assignments: await queryFn().then(
        (found) => found.assignments,
        () => [],
      ),
    }),
    enabled: text !== '',
  }).value;
};

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
  const result = useFoundTargets(typed ?? '');
  const found = result?.assignments ?? [];
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
      {found.length === 0 && result !== undefined && result.text === typed && (
        <Option disabled value="" text="">
          {t('newUpload.target.nothing')}
        </Option>
      )}
    </Combobox>
  );
};
