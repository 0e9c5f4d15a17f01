import { ProgressBar, Text } from '@fluentui/react-components';
import { uniq } from 'es-toolkit';
import { useEffect, useRef, useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { shownPath } from '../../../contract/text.ts';
import { type Batch, batchName, Verdict, type VerifiedFile, type VerifiedPart } from '../../../contract/uploads.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { errorSentences } from '../../domain/errors.tsx';
import type { Upload } from '../../domain/uploads/batch-words.ts';
import { SaveReceipt } from '../../domain/uploads/save-receipt.tsx';
import { useApp, useDesk } from '../../state/store.tsx';
import { type Column, nameCells } from '../../ui/data-table/columns.tsx';
import { PlainTable } from '../../ui/data-table/data-table.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { Message } from '../../ui/message.tsx';
import { Line, Minor } from '../../ui/page.tsx';
import { TextBadge } from '../../ui/text-badge.tsx';
import { formatCount } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { keyOf, t } from '../../words/words.ts';

/** `path`: below the folder of the only batch; for several batches, from the name of their folder on. */
type DifferingFile = Pick<VerifiedFile, 'path' | 'verdict'> & { readonly batchId: string };

type Verification = {
  readonly done: number;
  readonly counts: Readonly<Record<Verdict, number>>;
  /** The first files that differ. Files that were removed from their assignment are not included. */
  readonly differing: readonly DifferingFile[];
  readonly busy: boolean;
  readonly error: ErrorData | undefined;
  /** When the last part of the result arrived, in ms since 1970. */
  readonly atMs: number;
};

/** The maximum number of differing files that are listed, which is more than users read. */
const mostListed = 10_000;

const nothingVerified: Verification = {
  done: 0,
  counts: { same: 0, changed: 0, missing: 0, unreadable: 0, 'not-uploaded': 0, removed: 0 },
  differing: [],
  busy: true,
  error: undefined,
  atMs: 0,
};

const withPart = (before: Verification, { files }: VerifiedPart, batchId: string, folder: string): Verification => {
  const counts = { ...before.counts };
  for (const { verdict } of files) counts[verdict] += 1;
  const others = files
    .filter(({ verdict }) => verdict !== 'same' && verdict !== 'removed')
    .slice(0, mostListed - before.differing.length)
    .map(({ path, verdict }) => ({ path: folder + path, verdict, batchId }));
  return {
    ...before,
    done: before.done + files.length,
    counts,
    differing: others.length === 0 ? before.differing : [...before.differing, ...others],
    atMs: Date.now(),
  };
};

/** Returns how many files differ. Files that were removed from the assignment are not counted. */
const differingCount = ({ done, counts }: Verification): number => done - counts.same - counts.removed;

const differences = Verdict.exclude(['same']).options;

/** Describes the result in words, such as "298 of 300 files unchanged. 1 changed, 1 missing." */
const verificationText = (verification: Verification): string => {
  const { done, counts } = verification;
  if (counts.same === done) return t('uploads.verify.allSame', { count: done });
  const others = differences
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => t(`uploads.verify.${keyOf(verdict)}`, { count: counts[verdict] }));
  const same = t('uploads.verify.same', { same: counts.same, count: done });
  return `${same} ${others.join(', ')}.`;
};

const verdictName = (verdict: Verdict): string => t(`uploads.verdict.${keyOf(verdict)}`);

/**
 * Compares the files of `batches` on this computer with the ledger, part by part, while the component is mounted. If a
 * folder cannot be read, the others are compared nevertheless; `error` is the error of the first such folder.
 */
export const useVerification = (batches: readonly Batch[]): Verification => {
  const { verify } = useDesk().uploads;
  const [verification, setVerification] = useState(nothingVerified);
  useEffect(() => {
    const closing = new AbortController();
    const { signal } = closing;
    const change = (step: (before: Verification) => Verification): void => {
      if (!signal.aborted) setVerification(step);
    };
    const verifyOne = async ({ batchId, root }: Batch): Promise<void> => {
      const folder = batches.length > 1 ? `${batchName({ root })}/` : '';
      for (let after: number | undefined = 0; after !== undefined && !signal.aborted; ) {
        const part: VerifiedPart = await verify({ batchId, after }, signal);
        change((before) => withPart(before, part, batchId, folder));
        after = part.next;
      }
    };
    const verifyAll = async (): Promise<void> => {
      change(() => nothingVerified);
      for (const batch of batches)
        await verifyOne(batch).catch((error: unknown) =>
          change((before) => ({ ...before, error: before.error ?? toErrorData(error) })),
        );
      change((before) => ({ ...before, busy: false }));
    };
    void verifyAll();
    return () => closing.abort();
  }, [batches, verify]);
  return verification;
};

type VerifyDialogProps = { readonly upload: Upload; readonly onClose: () => void };

/**
 * A dialog that compares the files on this computer with the uploaded ones. Closing the dialog stops the comparison.
 */
export const VerifyDialog = ({ upload, onClose }: VerifyDialogProps) => {
  // The upload as it was when the dialog was opened. With later versions of it, the comparison would start again.
  const [{ batches, whole }] = useState(upload);
  const { files } = whole;
  const verification = useVerification(batches);
  const { uploads } = useDesk();
  const { done, counts, busy, error, atMs } = verification;
  const isDone = !busy && error === undefined;
  const isSame = differingCount(verification) === 0;
  return (
    <DialogFrame
      title={t('uploads.verify.title', { folder: batchName(whole) })}
      onClose={onClose}
      close={t(busy ? 'common.cancel' : 'common.close')}
    >
      {busy && (
        <>
          <Text>{t('uploads.verify.explained')}</Text>
          <ProgressBar
            aria-label={t('uploads.verify.progress')}
            thickness="large"
            value={files === 0 ? 0 : done / files}
          />
          <Text>{t('uploads.progress.files', { done: formatCount(done), count: files })}</Text>
        </>
      )}
      <div role="status">
        {isDone && !isSame && <Text>{verificationText(verification)}</Text>}
        {isDone && isSame && <Message intent="success">{verificationText(verification)}</Message>}
        {error && <Text>{errorSentences(error)}</Text>}
      </div>
      <DifferingFiles verification={verification} />
      {isDone && (
        <>
          <Minor>{t('uploads.verify.at', { at: formatMoment(atMs) })}</Minor>
          <Line>
            {counts.changed + counts['not-uploaded'] > 0 && <UploadAgain batches={batches} onDone={onClose} />}
            {!isSame && batches.length === 1 && (
              <ActionButton act={() => uploads.reveal({ batchId: whole.batchId })}>
                {t('uploads.action.reveal')}
              </ActionButton>
            )}
            <SaveReceipt batches={batches} />
          </Line>
        </>
      )}
    </DialogFrame>
  );
};

type UploadAgainProps = { readonly batches: readonly Batch[]; readonly onDone: () => void };

const UploadAgain = ({ batches, onDone }: UploadAgainProps) => {
  const desk = useDesk();
  const give = useApp((state) => state.give);
  const isInView = useRef(false);
  useEffect(() => {
    isInView.current = true;
    return () => {
      isInView.current = false;
    };
  }, []);
  const uploadAgain = async (): Promise<void> => {
    const folders = await desk.folders.changed({ batchIds: batches.map(({ batchId }) => batchId) });
    // If the user has closed the dialog or left its page meanwhile, the other page must not open.
    if (!isInView.current) return;
    onDone();
    const [AssignmentId, ...others] = uniq(batches.map((batch) => batch.AssignmentId));
    give({ folders, ...(others.length === 0 && { AssignmentId }) });
  };
  return <ActionButton act={uploadAgain}>{t('uploads.verify.again')}</ActionButton>;
};

const columns: readonly Column<DifferingFile>[] = [
  { id: 'File', header: 'common.file', ...nameCells(({ path }) => shownPath(path)) },
  {
    id: 'Result',
    header: 'uploads.verdict.header',
    width: '170px',
    cell: ({ verdict }) => (
      <TextBadge text={verdictName(verdict)} color={verdict === 'missing' ? 'danger' : 'warning'} />
    ),
    text: ({ verdict }) => verdictName(verdict),
  },
];

const DifferingFiles = ({ verification }: { readonly verification: Verification }) => {
  const { differing } = verification;
  if (differing.length === 0) return null;
  const more = differingCount(verification) - differing.length;
  return (
    <>
      <PlainTable
        id="differing-files"
        label={t('uploads.verify.differing')}
        columns={columns}
        rows={differing}
        rowKey={({ batchId, path }) => `${batchId} ${path}`}
        maxHeight={256}
        fits
      />
      {more > 0 && <Minor>{t('common.moreFiles', { count: more })}</Minor>}
    </>
  );
};
