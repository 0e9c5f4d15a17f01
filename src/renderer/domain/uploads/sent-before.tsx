import { Button, Link, makeStyles, Spinner, Text, tokens } from '@fluentui/react-components';
import { Dismiss20Regular } from '@fluentui/react-icons';
import { useEffect, useRef, useState } from 'react';
import { toErrorData } from '../../../contract/errors.ts';
import type { FoundFile, SentBefore, SentFolder } from '../../../contract/files.ts';
import { type Place, useAction, useDesk, useReport } from '../../state/store.tsx';
import { Minor } from '../../ui/page.tsx';
import { stacked } from '../../ui/styles.ts';
import { formatCount } from '../../words/amounts.ts';
import { formatDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { foundFileDetails, foundFilePlace, isNameTaken } from './files.tsx';

type SentBeforeState = ReturnType<typeof useSentBefore>;

/**
 * Finds out whether dropped files were uploaded before. Main stops reading the files when the component is unmounted.
 */
export const useSentBefore = () => {
  const desk = useDesk();
  const report = useReport();
  const [results, setResults] = useState<readonly SentBefore[]>([]);
  const reading = useRef(new AbortController());
  const { run, busy } = useAction(
    async (files: readonly File[]) => {
      setResults([]);
      reading.current.abort();
      const cancel = new AbortController();
      reading.current = cancel;
      const folderIds = (await desk.adoptDropped(files)).map(({ folderId }) => folderId);
      if (folderIds.length > 0) setResults(await desk.files.sentBefore({ folderIds }, cancel.signal));
    },
    (error) => {
      if (toErrorData(error).code !== 'app/cancelled') report(error);
    },
  );
  useEffect(() => () => reading.current.abort(), []);
  return {
    lookUp: run,
    results,
    busy,
    isEmpty: !busy && results.length === 0,
    close: (): void => {
      setResults([]);
      reading.current.abort();
    },
  };
};

const useStyles = makeStyles({
  part: {
    display: 'flex',
    alignItems: 'start',
    gap: tokens.spacingHorizontalM,
    flexShrink: 0,
    maxHeight: '40vh',
    overflowY: 'auto',
    padding: tokens.spacingHorizontalL,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground2,
  },
  results: { flexGrow: 1, minWidth: 0, ...stacked(tokens.spacingVerticalM) },
  list: { margin: `${tokens.spacingVerticalXS} 0`, paddingInlineStart: tokens.spacingHorizontalXL },
  line: { overflowWrap: 'anywhere' },
});

type OnOpen = { readonly onOpen: (place: Place) => void };

const Places = ({ files, onOpen }: OnOpen & { readonly files: readonly FoundFile[] }) => {
  const styles = useStyles();
  if (files.length === 0) return null;
  return (
    <ul className={styles.list}>
      {files.map((file) => (
        <li key={`${file.batchId} ${file.path} ${file.addedAtMs}`} className={styles.line}>
          <Link as="button" inline onClick={() => onOpen(foundFilePlace(file))}>
            {file.FileName}
          </Link>
          <Minor size={200}> {foundFileDetails(file).filter(Boolean).join(' · ')}</Minor>
        </li>
      ))}
    </ul>
  );
};

const headline = ({ name, same }: SentBefore): string => {
  // A skipped file was uploaded before, even if that upload is not among those found.
  const skipped = same.some((file) => file.state === 'skipped' && !isNameTaken(file));
  const there = same.filter(({ state }) => state === 'done').length || Number(skipped);
  if (there > 0) return t('files.sent', { name, count: there });
  return t(same.length > 0 ? 'files.found' : 'files.notSent', { name });
};

const folderSentence = ({ files, sent, unread, fromMs = 0, toMs = 0 }: SentFolder): string => {
  const never = files - sent - unread;
  if (files === 0) return t('files.folder.empty');
  if (never > 0 && sent === 0) return t('files.folder.none', { count: never });
  if (never > 0) return t('files.folder.some', { count: never, total: formatCount(files) });
  if (sent === 0) return t('files.folder.unread', { count: unread });
  const [from, to] = [formatDay(fromMs), formatDay(toMs)];
  return from === to
    ? t('files.folder.all', { count: sent, day: from })
    : t('files.folder.allBetween', { count: sent, from, to });
};

const MOST_LISTED = 200;

const FolderResult = ({ name, folder, onOpen }: OnOpen & { readonly name: string; readonly folder: SentFolder }) => {
  const styles = useStyles();
  const { files, sent, unread, removed, neverSent, assignments } = folder;
  const listed = neverSent.slice(0, MOST_LISTED);
  const more = files - sent - unread - listed.length;
  return (
    <>
      <Minor size={200}>{name}</Minor>
      <Text block weight="semibold">
        {folderSentence(folder)}
      </Text>
      {unread > 0 && sent + neverSent.length > 0 && <Text block>{t('files.folder.unread', { count: unread })}</Text>}
      {removed > 0 && <Text block>{t('files.folder.removed', { count: removed })}</Text>}
      {listed.length > 0 && sent > 0 && (
        <ul className={styles.list} aria-label={t('files.folder.neverSent')}>
          {listed.map((path) => (
            <li key={path} className={styles.line}>
              {path}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && sent > 0 && <Text block>{t('common.moreFiles', { count: more })}</Text>}
      {assignments.map(({ AssignmentId, title, files: count }) => (
        <Text block key={AssignmentId}>
          {t('count.file', { count })}
          {' · '}
          <Link as="button" inline onClick={() => onOpen({ name: 'assignment', AssignmentId })}>
            {title ?? AssignmentId}
          </Link>
        </Text>
      ))}
    </>
  );
};

export const SentBeforeList = ({ results, busy, isEmpty, close, onOpen }: SentBeforeState & OnOpen) => {
  const styles = useStyles();
  if (isEmpty) return null;
  return (
    <div className={styles.part} role="status">
      <div className={styles.results}>
        {busy && <Spinner size="tiny" label={t('files.reading')} />}
        {results.map((result, position) => {
          // Files of different folders can have the same name.
          const key = `${position} ${result.name}`;
          return (
            <div key={key}>
              {result.folder ? (
                <FolderResult name={result.name} folder={result.folder} onOpen={onOpen} />
              ) : (
                <Text weight="semibold">{headline(result)}</Text>
              )}
              <Places files={result.same} onOpen={onOpen} />
              {result.alike.length > 0 && (
                <>
                  <Text>{t('files.alike')}</Text>
                  <Places files={result.alike} onOpen={onOpen} />
                </>
              )}
            </div>
          );
        })}
      </div>
      <Button
        appearance="subtle"
        size="small"
        icon={<Dismiss20Regular />}
        aria-label={t(busy ? 'files.stop' : 'common.close')}
        onClick={close}
      />
    </div>
  );
};
