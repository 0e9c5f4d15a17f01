import { Button } from '@fluentui/react-components';
import type { Draft } from '../../../contract/drafts.ts';
import { ChooseButtons } from '../../domain/uploads/choose-buttons.tsx';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Page } from '../../ui/page.tsx';
import { useNow } from '../../ui/use-now.ts';
import { formatAge } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';
import { ChooseFolders } from './choose-folders.tsx';
import { DraftOptions } from './draft-options.tsx';
import { DraftProgress } from './draft-progress.tsx';
import { Review } from './review.tsx';
import { namesText } from './row-words.ts';
import { TakeGiven } from './take-given.tsx';

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
