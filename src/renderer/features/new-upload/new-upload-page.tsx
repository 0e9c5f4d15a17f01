import { Button, Field, makeStyles, ProgressBar, Select, Spinner, Text, tokens } from '@fluentui/react-components';
import { FolderArrowUp48Regular } from '@fluentui/react-icons';
import { type ChangeEvent, useEffect, useState } from 'react';
import type { Draft, DraftPhase } from '../../../contract/drafts.ts';
import { NameTemplate, OnClash, ownNameTemplate } from '../../../contract/uploads.ts';
import { TargetField } from '../../domain/assignments/target-field.tsx';
import { ErrorMessage } from '../../domain/errors.tsx';
import { nameTemplates } from '../../domain/uploads/batch-words.ts';
import { ChooseButtons } from '../../domain/uploads/choose-buttons.tsx';
import { useAction, useApp, useDesk, useRemembered, useSnapshot } from '../../state/context.tsx';
import type { Given } from '../../state/store.ts';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { Confirm, useDialog } from '../../ui/dialogs.tsx';
import { useNow } from '../../ui/hooks.ts';
import { Page, PageBody } from '../../ui/page.tsx';
import { formatAge, formatCount, formatLeft } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';
import { ClashOptions } from './clash-list.tsx';
import { Review } from './review.tsx';
import { namesText } from './row-words.tsx';

const Discard = ({ draft }: { readonly draft: Draft }) => {
  const { drafts } = useDesk();
  const discard = useAction(() => drafts.discard());
  return (
    <Confirm
      title={t('newUpload.discard.question')}
      action={t('newUpload.discard.confirm')}
      keep={t('newUpload.discard.keep')}
      onConfirm={discard.run}
      trigger={
        <Button appearance="subtle" disabledFocusable={discard.busy}>
          {t('newUpload.discard.action')}
        </Button>
      }
    >
      {t('newUpload.discard.explained', { count: draft.counts.total })}
    </Confirm>
  );
};

/** How old the assignments are that folders were matched with; empty while that is not known or does not matter. */
const ageText = ({ phase, AssignmentId, assignments: { known, oldestAtMs } }: Draft, nowMs: number): string =>
  phase !== 'ready' || AssignmentId !== undefined || oldestAtMs === undefined
    ? ''
    : t('newUpload.progress.age', { count: known, age: formatAge(oldestAtMs, nowMs) });

/** From folders to the assignments that they go to: choose, review, start. */
export const NewUploadPage = () => {
  const draft = useSnapshot((snapshot) => snapshot.draft);
  const now = useNow(60_000);
  return (
    <Page
      title={t('newUpload.title')}
      {...(draft && {
        subtitle: [namesText(draft), ageText(draft, now)].filter(Boolean).join(' · '),
        actions: (
          <>
            <ChooseButtons folder={t('newUpload.choose.add')} />
            <Discard draft={draft} />
          </>
        ),
      })}
    >
      <TakeGiven draft={draft} />
      {draft === undefined ? (
        <ChooseFolders />
      ) : (
        <>
          <DraftProgress draft={draft} />
          {draft.phase !== 'scanning' && <DraftOptions draft={draft} />}
          {draft.phase !== 'scanning' && draft.counts.total > 0 && <Review key={draft.draftId} draft={draft} />}
        </>
      )}
    </Page>
  );
};

const useChooseFoldersStyles = makeStyles({
  zone: {
    flex: '1 0 auto',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: tokens.spacingVerticalM,
    padding: tokens.spacingHorizontalXXL,
    border: `1px dashed ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusLarge,
    textAlign: 'center',
  },
  icon: { color: tokens.colorBrandForeground1 },
  explained: { maxWidth: '520px', color: tokens.colorNeutralForeground2 },
  buttons: { display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: tokens.spacingHorizontalM },
});

/** The first step: what to upload. The whole page takes what is dropped. */
const ChooseFolders = () => {
  const styles = useChooseFoldersStyles();
  return (
    <PageBody>
      <div className={styles.zone}>
        <FolderArrowUp48Regular className={styles.icon} aria-hidden="true" />
        <Text size={500} weight="semibold">
          {t('newUpload.choose.title')}
        </Text>
        <Text className={styles.explained} align="center">
          {t('newUpload.choose.explained')}
        </Text>
        <div className={styles.buttons}>
          <ChooseButtons folder={t('newUpload.choose.folder')} files={t('newUpload.choose.files')} />
        </div>
      </div>
    </PageBody>
  );
};

/**
 * Takes the folders that were given: they begin a draft. If there is one already, folders chosen on this page are added to
 * it, and otherwise the person is asked.
 */
const TakeGiven = ({ draft }: { readonly draft: Draft | undefined }) => {
  const { drafts } = useDesk();
  const given = useApp((state) => state.given);
  const takeGiven = useApp((state) => state.takeGiven);
  const { about: asked, open: ask, close } = useDialog<Given>();
  const names = useNames();
  const begin = useAction(async ({ folders, AssignmentId }: Given) => {
    await drafts.open({ folderIds: folders.map(({ folderId }) => folderId), ...(AssignmentId && { AssignmentId }) });
    if (names.isChosen) await drafts.setNames(names.value);
  });
  const add = useAction(({ folders }: Given) => drafts.add({ folderIds: folders.map(({ folderId }) => folderId) }));
  useEffect(() => {
    const taken = given && takeGiven();
    if (taken === undefined) return;
    if (draft === undefined) begin.run(taken);
    else if (taken.here === true) add.run(taken);
    else ask(document.activeElement, taken);
  });
  if (asked === undefined || draft === undefined) return null;
  return (
    <DialogFrame
      title={t('newUpload.again.title')}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{t('common.cancel')}</Button>
          <Button
            onClick={() => {
              begin.run(asked);
              close();
            }}
          >
            {t('newUpload.again.replace')}
          </Button>
          {asked.AssignmentId === draft.AssignmentId && (
            <Button
              appearance="primary"
              onClick={() => {
                add.run(asked);
                close();
              }}
            >
              {t('newUpload.again.add')}
            </Button>
          )}
        </>
      }
    >
      {t('newUpload.again.explained', {
        count: draft.counts.total,
        names: namesText(draft),
      })}
    </DialogFrame>
  );
};

const useDraftOptionsStyles = makeStyles({
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
  const styles = useDraftOptionsStyles();
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

const useDraftProgressStyles = makeStyles({
  progress: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalM}`,
  },
  line: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  text: { display: 'flex', flexDirection: 'column', flex: '1 1 240px' },
  minor: { color: tokens.colorNeutralForeground3 },
});

/** How far the reading of lists is, and how long the rest probably takes. */
const readingText = ({ assignments: { stage, read, total, leftMs, known } }: Draft): string => {
  const text =
    stage === 'protocols'
      ? total === 0
        ? t('newUpload.progress.listing')
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

/** After the draft can be reviewed: that folders may still become certain, or why the lists could not be read. */
const Rest = ({ draft }: { readonly draft: Draft }) => {
  const styles = useDraftProgressStyles();
  const { reason, counts, AssignmentId, assignments } = draft;
  const isWorthIt = assignments.isReading && AssignmentId === undefined && counts.undecided > 0;
  if (reason === undefined && !isWorthIt) return null;
  return (
    <div className={styles.progress}>
      {reason && <ErrorMessage error={reason} />}
      {isWorthIt && (
        <div className={styles.line}>
          <Spinner size="tiny" aria-hidden="true" />
          <Text size={200} className={styles.minor}>
            {`${readingText(draft)} ${t('newUpload.progress.rest')}`}
          </Text>
        </div>
      )}
    </div>
  );
};

const title = (phase: Exclude<DraftPhase, 'ready'>): string => t(`newUpload.progress.${phase}`);

/** What the draft still waits for, or why a part of it could not be done. */
const DraftProgress = ({ draft }: { readonly draft: Draft }) => {
  const styles = useDraftProgressStyles();
  const { drafts } = useDesk();
  const skip = useAction(() => drafts.skipUpdate());
  const { phase } = draft;
  if (phase === 'ready') return <Rest draft={draft} />;
  return (
    <div className={styles.progress}>
      <div className={styles.line}>
        <Spinner size="tiny" aria-hidden="true" />
        <div className={styles.text}>
          <Text weight="semibold" role="status">
            {title(phase)}
          </Text>
          <Text size={200} className={styles.minor}>
            {detailOf(draft)}
          </Text>
        </div>
        {phase === 'updating' && (
          <Button disabledFocusable={skip.busy} onClick={skip.run}>
            {t('newUpload.progress.skip')}
          </Button>
        )}
      </div>
      <ProgressBar {...progressOf(draft)} aria-label={`${title(phase)} ${formatCount(draft.files)}`} />
    </div>
  );
};

/** How files are named, and what happens where a name is taken. */
export type Names = Pick<Draft, 'nameTemplate' | 'onClash'>;

type RememberedNames = {
  readonly value: Names;
  /** Whether a person has chosen before; the dialog of one assignment shares the template. */
  readonly isChosen: boolean;
  readonly remember: (names: Names) => void;
};

/** What was chosen last, for the next upload. */
export const useNames = (): RememberedNames => {
  const [nameTemplate, setTemplate] = useRemembered('upload.names', NameTemplate);
  const [onClash, setOnClash] = useRemembered('upload.on-clash', OnClash);
  return {
    value: { nameTemplate: nameTemplate ?? ownNameTemplate, onClash: onClash ?? 'rename' },
    isChosen: nameTemplate !== undefined || onClash !== undefined,
    remember: (names) => {
      setTemplate(names.nameTemplate);
      setOnClash(names.onClash);
    },
  };
};
