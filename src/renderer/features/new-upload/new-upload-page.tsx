import { Button, Field, makeStyles, ProgressBar, Spinner, Text, tokens } from '@fluentui/react-components';
import { compact } from 'es-toolkit';
import { useEffect, useState } from 'react';
import type { Draft, DraftPhase } from '../../../contract/drafts.ts';
import { NameTemplate, OnClash, ownNameTemplate } from '../../../contract/uploads.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { TargetField } from '../../domain/assignments/target-field.tsx';
import { ErrorMessage } from '../../domain/errors.tsx';
import { nameTemplateName, nameTemplates } from '../../domain/uploads/batch-words.ts';
import { ChooseButtons, ChooseZone } from '../../domain/uploads/choose-buttons.tsx';
import {
  type Action,
  type Given,
  joinGiven,
  useAction,
  useApp,
  useDesk,
  useRemembered,
  useSnapshot,
} from '../../state/store.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { useDialog } from '../../ui/dialogs.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { useNow } from '../../ui/hooks.ts';
import { Line, Minor, Page } from '../../ui/page.tsx';
import { stacked } from '../../ui/styles.ts';
import { formatAge, formatCount, formatLeft } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { clashName } from './clash-list.tsx';
import { Review } from './review.tsx';

/**
 * Returns a text with the age of the assignments that folders were matched with. The text is empty until the draft is
 * ready and the age is known, and always empty if everything goes to one assignment.
 */
const ageText = ({ phase, AssignmentId, assignments: { known, oldestAtMs } }: Draft, nowMs: number): string =>
  phase !== 'ready' || AssignmentId !== undefined || oldestAtMs === undefined
    ? ''
    : t('newUpload.progress.age', { count: known, age: formatAge(oldestAtMs, nowMs) });

/**
 * Returns a text that says when a continued draft was stored, and how many rows have changed since then; empty for
 * other drafts.
 */
const resumedText = ({ resumed }: Draft): string => {
  if (resumed === undefined) return '';
  const text = t('newUpload.resumed', { at: formatMoment(resumed.atMs) });
  return resumed.changed === 0 ? text : `${text} · ${t('newUpload.changed', { count: resumed.changed })}`;
};

export const NewUploadPage = () => {
  const { drafts } = useDesk();
  const draft = useSnapshot((snapshot) => snapshot.draft);
  const { isOpening, added, question } = useGiven(draft);
  const now = useNow(60_000);
  return (
    <Page
      title={t('newUpload.title')}
      layout={draft === undefined && !isOpening ? 'scroll' : 'free'}
      {...(draft && {
        subtitle: [namesText(draft), resumedText(draft), ageText(draft, now)].filter(Boolean).join(' · '),
        actions: (
          <>
            <ChooseButtons folder={t('newUpload.choose.add')} />
            <ActionButton
              appearance="subtle"
              act={drafts.discard}
              question={{
                title: t('newUpload.discard.question'),
                text: t('newUpload.discard.explained', { count: draft.counts.all }),
                action: t('newUpload.discard.confirm'),
                keep: t('newUpload.discard.keep'),
              }}
            >
              {t('newUpload.discard.action')}
            </ActionButton>
          </>
        ),
      })}
    >
      {question}
      {draft !== undefined ? (
        <Prepared key={draft.draftId} draft={draft} added={added} />
      ) : isOpening ? (
        <DraftProgress />
      ) : (
        // Folders can be dropped anywhere on the page, not only here.
        <ChooseZone isLarge title={t('newUpload.choose.title')} explained={t('newUpload.choose.explained')} />
      )}
    </Page>
  );
};

const Prepared = ({ draft, added }: { readonly draft: Draft; readonly added: string | undefined }) => {
  /**
   * Whether the user wants one assignment for everything. The draft records this choice only once the assignment is
   * chosen.
   */
  const [wantsOne, setWantsOne] = useState(false);
  const isOne = wantsOne || draft.AssignmentId !== undefined;
  return (
    <>
      <DraftProgress draft={draft} />
      {draft.phase !== 'scanning' && <DraftOptions draft={draft} isOne={isOne} onWantsOne={setWantsOne} />}
      {draft.phase !== 'scanning' && draft.counts.all > 0 && (
        <Review draft={draft} lacksTarget={isOne && draft.AssignmentId === undefined} added={added} />
      )}
    </>
  );
};

const inputOf = ({ folders, AssignmentId }: Given) => ({
  folderIds: folders.map(({ folderId }) => folderId),
  ...(AssignmentId && { AssignmentId }),
});

/**
 * Takes the folders that were passed to the page, and begins a draft with them. If there is a draft already, folders
 * chosen on this page are added to it. For folders from elsewhere, the user is asked by `question`. Folders from
 * elsewhere that come without an assignment cannot be added to a draft whose folders all go to one assignment, which
 * may be the wrong one for them. `isOpening`: whether a draft is being opened for the folders; `added`: the name of the
 * first of those that were added last.
 */
const useGiven = (draft: Draft | undefined) => {
  const { drafts } = useDesk();
  const given = useApp((state) => state.given);
  const take = useApp((state) => state.take);
  const back = useApp((state) => state.back);
  const { about: asked, open: ask, close } = useDialog<Given>();
  const names = useNames();
  const begin = useAction(async (chosen: Given) => {
    await drafts.open(inputOf(chosen));
    if (names.isChosen) await drafts.setNames(names.value);
  });
  const [added, setAdded] = useState<string>();
  const add = useAction((chosen: Given) => {
    setAdded(chosen.folders[0]?.name);
    return drafts.add(inputOf(chosen));
  });
  useEffect(() => {
    // While a draft is being opened, further folders wait: opening another draft for them would replace it. Adding
    // folders whose upload the draft has already started opens the draft again, so further folders wait then, too.
    // While a question is open, folders for another assignment wait for its answer.
    const waits = begin.busy || add.busy || (draft && asked && asked.AssignmentId !== given?.AssignmentId);
    const chosen = waits ? undefined : given && take('given');
    if (chosen === undefined) return;
    if (draft === undefined) begin.run(chosen);
    else if (chosen.here === true) add.run(chosen);
    else ask(document.activeElement, joinGiven(asked, chosen));
  });
  const isOpening = given !== undefined || begin.busy || add.busy;
  if (asked === undefined || draft === undefined) return { isOpening, added };
  const answerWith =
    ({ run }: Action<[Given]>) =>
    (): void => {
      run(asked);
      close();
    };
  const canAdd = asked.AssignmentId !== undefined || draft.AssignmentId === undefined;
  const question = (
    <DialogFrame
      title={t('newUpload.again.title')}
      onClose={() => {
        close();
        if (asked.isFromOther) back();
      }}
      actions={<Button onClick={answerWith(begin)}>{t('newUpload.again.replace')}</Button>}
      {...(canAdd && { main: { label: t('newUpload.again.add'), act: answerWith(add) } })}
    >
      {t('newUpload.again.explained', {
        count: draft.counts.all,
        names: namesText(draft),
        given: namesText({ names: asked.folders.map(({ name }) => name) }),
      })}
    </DialogFrame>
  );
  return { isOpening, added, question };
};

const useStyles = makeStyles({
  options: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'flex-end',
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalS}`,
    '@media (max-width: 479px)': { paddingInline: tokens.spacingHorizontalM },
  },
  field: { flex: '1 1 190px', minWidth: 0, maxWidth: '320px' },
  progress: {
    ...stacked(tokens.spacingVerticalS),
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalM}`,
  },
  text: { display: 'flex', flexDirection: 'column', flex: '1 1 240px' },
});

type DraftOptionsProps = {
  readonly draft: Draft;
  /** Whether everything goes to one assignment, which may not have been chosen yet. */
  readonly isOne: boolean;
  readonly onWantsOne: (wantsOne: boolean) => void;
};

const DraftOptions = ({ draft, isOne, onWantsOne }: DraftOptionsProps) => {
  const styles = useStyles();
  const { drafts } = useDesk();
  const setTarget = useAction((AssignmentId?: string) => drafts.setTarget(AssignmentId ? { AssignmentId } : {}));
  const setLevel = useAction((level: number) => drafts.setLevel({ level }));
  const { remember } = useNames();
  /** The names that were chosen last, until the draft has them. The next change builds on them. */
  const [chosen, setChosen] = useState<Names>();
  const { nameTemplate, onClash } = chosen ?? draft;
  const setNames = useAction((changed: Partial<Names>) => {
    const next = { nameTemplate, onClash, ...changed };
    remember(next);
    setChosen(next);
    return drafts.setNames(next).finally(() => setChosen((latest) => (latest === next ? undefined : latest)));
  });
  const chooseTarget = (target: 'each' | 'one'): void => {
    onWantsOne(target === 'one');
    if (target === 'each' && draft.AssignmentId !== undefined) setTarget.run();
  };
  const levelName = (level: number): string => {
    const count = draft.levels.find((one) => one.level === level)?.folders ?? 0;
    return level === 0 ? t('newUpload.target.top', { count }) : t('newUpload.target.levelOf', { level, count });
  };
  return (
    <div className={styles.options}>
      <SelectField
        className={styles.field}
        label={t('newUpload.target.label')}
        values={['each', 'one']}
        nameOf={(target) => t(`newUpload.target.${target}`)}
        value={isOne ? 'one' : 'each'}
        onChoose={chooseTarget}
      />
      {isOne ? (
        <Field className={styles.field} label={t('common.assignment')}>
          <TargetField chosenId={draft.AssignmentId} onChoose={setTarget.run} />
        </Field>
      ) : (
        draft.levels.length > 1 && (
          <SelectField
            className={styles.field}
            label={t('newUpload.target.level')}
            values={draft.levels.map(({ level }) => level)}
            nameOf={levelName}
            value={draft.level}
            onChoose={setLevel.run}
          />
        )
      )}
      <SelectField
        className={styles.field}
        label={t('newUpload.target.names')}
        values={nameTemplates}
        nameOf={nameTemplateName}
        value={nameTemplate}
        onChoose={(template) => setNames.run({ nameTemplate: template })}
      />
      <SelectField
        className={styles.field}
        label={t('newUpload.target.clashes')}
        values={OnClash.options}
        nameOf={clashName}
        value={onClash}
        onChoose={(clash) => setNames.run({ onClash: clash })}
      />
    </div>
  );
};

const readingText = ({ assignments: { stage, read, total, leftMs, known } }: Draft): string => {
  const text =
    stage === 'protocols'
      ? total === 0
        ? t('offline.beginning')
        : t('newUpload.progress.listed', { read, total })
      : t('newUpload.progress.updated', { read, total, count: known });
  return leftMs === undefined ? text : `${text} ${t('newUpload.progress.left', { duration: formatLeft(leftMs) })}`;
};

const detailOf = (draft: Draft): string =>
  draft.phase === 'updating'
    ? readingText(draft)
    : t('newUpload.progress.found', {
        files: t('count.file', { count: draft.files }),
        folders: t('count.folder', { count: draft.folders }),
      });

const progressOf = ({ phase, assignments: { read, total } }: Draft): { readonly value?: number } =>
  phase === 'updating' && total > 0 ? { value: Math.min(1, read / total) } : {};

/**
 * Shows why a step failed, or why folders could not be started, once the draft is ready. While folders are undecided,
 * also shows that further lists of assignments are still being read.
 */
const Rest = ({ draft }: { readonly draft: Draft }) => {
  const styles = useStyles();
  const { reason, counts, AssignmentId, assignments } = draft;
  const isWorthIt = assignments.isReading && AssignmentId === undefined && counts.undecided > 0;
  if (reason === undefined && !isWorthIt) return null;
  return (
    <div className={styles.progress}>
      {reason && <ErrorMessage error={reason} />}
      {isWorthIt && (
        <Line>
          <Spinner size="tiny" aria-hidden="true" />
          <Minor size={200}>{`${readingText(draft)} ${t('newUpload.progress.rest')}`}</Minor>
        </Line>
      )}
    </div>
  );
};

const title = (phase: Exclude<DraftPhase, 'ready'>): string => t(`newUpload.progress.${phase}`);

/** Shows what happens to a draft before its review, or to the folders for which a draft is being opened. */
const DraftProgress = ({ draft }: { readonly draft?: Draft }) => {
  const styles = useStyles();
  const { drafts } = useDesk();
  const phase = draft?.phase ?? 'scanning';
  if (phase === 'ready') return draft && <Rest draft={draft} />;
  return (
    <div className={styles.progress}>
      <Line>
        <Spinner size="tiny" aria-hidden="true" />
        <div className={styles.text}>
          <Text weight="semibold" role="status">
            {title(phase)}
          </Text>
          {draft && <Minor size={200}>{detailOf(draft)}</Minor>}
        </div>
        {phase === 'updating' && <ActionButton act={drafts.skipUpdate}>{t('newUpload.progress.skip')}</ActionButton>}
      </Line>
      <ProgressBar
        {...(draft && progressOf(draft))}
        aria-label={compact([title(phase), draft && formatCount(draft.files)]).join(' ')}
      />
    </div>
  );
};

type Names = Pick<Draft, 'nameTemplate' | 'onClash'>;

/** Returns the `Names` that the user chose last. The next draft begins with them. */
const useNames = () => {
  const [nameTemplate, setTemplate] = useRemembered('upload.names', NameTemplate);
  const [onClash, setOnClash] = useRemembered('upload.on-clash', OnClash);
  return {
    value: { nameTemplate: nameTemplate ?? ownNameTemplate, onClash: onClash ?? 'rename' },
    isChosen: nameTemplate !== undefined || onClash !== undefined,
    remember: (names: Names): void => {
      setTemplate(names.nameTemplate);
      setOnClash(names.onClash);
    },
  };
};

/** Names the chosen folders, such as "Jobs 2026 and 2 more". */
const namesText = ({ names }: Pick<Draft, 'names'>): string => {
  const [first = '', ...others] = names;
  return others.length === 0 ? first : t('common.andMore', { names: first, count: others.length });
};
