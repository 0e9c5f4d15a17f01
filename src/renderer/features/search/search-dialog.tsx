import { Dialog, DialogSurface, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import {
  ArrowRight20Regular,
  ArrowUpload20Regular,
  ClipboardTaskListLtr20Regular,
  Document20Regular,
  TaskListLtr20Regular,
} from '@fluentui/react-icons';
import { delay } from 'es-toolkit';
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { FoundFiles } from '../../../contract/files.ts';
import type { Found } from '../../../contract/search.ts';
import { errorSentences } from '../../domain/errors.tsx';
import { SentBeforeList, useSentBefore } from '../../domain/uploads/sent-before.tsx';
import { useCallQuery, useCalls } from '../../queries/query.tsx';
import { type Place, useApp, useSnapshot } from '../../state/store.tsx';
import { ComboInput } from '../../ui/combo-input.tsx';
import { FoundInLine, Marked } from '../../ui/data-table/data-table.tsx';
import { rowAfterKey } from '../../ui/data-table/row-focus.ts';
import { useDropZone } from '../../ui/hooks.ts';
import { oneLine, sideBySide, unseen } from '../../ui/styles.ts';
import { useMemoInWords } from '../../words/formats.ts';
import { t } from '../../words/words.ts';
import {
  allFilesResult,
  assignmentResult,
  batchResult,
  fileResult,
  findBatches,
  furtherResults,
  protocolResult,
  type ResultKind,
  type SearchResult,
  SearchScope,
  type ServiceSearch,
  useServiceSearch,
} from './search-results.tsx';

type Search = {
  /**
   * The first results of each kind, and then links that continue the search; empty if nothing was found. Files and
   * links come last, so that nothing moves when they arrive later.
   */
  readonly results: readonly SearchResult[];
  readonly total: number;
  /** The text for which `results` were found; empty before the first results. */
  readonly searched: string;
  /** Whether the results include files, whose search may take longer. */
  readonly isComplete: boolean;
  readonly error?: ErrorData | undefined;
};

const nothing: Search = { results: [], total: 0, searched: '', isComplete: false };

const limit = 6;

/** The result of a search, which is empty if the search failed. `error`: why the search failed. */
type Failing<Result> = Result & { readonly error?: ErrorData };

type Files = Failing<Pick<FoundFiles, 'files' | 'total'>>;

/** What was found for `text`. `files`: undefined until the files of uploads have been searched. */
type FoundEverywhere = { readonly text: string; readonly found: Failing<Found>; readonly files: Files | undefined };

const noRecords: Found = { protocols: [], protocolTotal: 0, assignments: [], assignmentTotal: 0, cached: 0 };

const noFiles: Files = { files: [], total: 0 };

const failed =
  <Result,>(none: Result) =>
  (error: unknown): Failing<Result> => ({ ...none, error: toErrorData(error) });

/**
 * How long protocols and assignments wait for files, so that all results appear together. If files take longer, for
 * example while the ledger is being indexed, they are added later.
 */
const filesWaitMs = 30;

/**
 * Searches for `text`. Returns the protocols, assignments and files found, with the text that was searched for. Until
 * the search has a result, and while `text` is empty, returns the previous result, or undefined if there is none. Files
 * that take longer to find are added to the result later.
 */
const useFoundEverywhere = (text: string): FoundEverywhere | undefined => {
  const { search, files } = useCalls();
  const asked = { text, limit };
  const { queryKey, queryFn } = search.find(asked);
  const key = [...queryKey, text, 'files'];
  return useCallQuery<FoundEverywhere>({
    queryKey: key,
    queryFn: async ({ client }) => {
      const searchingFiles = files
        .find({ ...asked, withoutSkipped: true, complete: true })
        .queryFn()
        .catch(failed(noFiles));
      const found = await queryFn().catch(failed(noRecords));
      const inTime = await Promise.race([searchingFiles, delay(filesWaitMs)]);
      if (inTime) return { text, found, files: inTime };
      void searchingFiles.then((late) =>
        client.setQueryData<FoundEverywhere>(key, (shown) => shown && { ...shown, files: late }),
      );
      return { text, found, files: client.getQueryData<FoundEverywhere>(key)?.files };
    },
    enabled: text !== '',
  }).value;
};

/**
 * Searches for `text` among the protocols and assignments in the offline data, the uploads and their files. At the same
 * time, requests matching protocols from the service. They are added to the offline data.
 */
export const useSearch = (text: string): Search & { readonly service: ServiceSearch } => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const result = useFoundEverywhere(text);
  const service = useServiceSearch(text, result?.text === text ? result.found : undefined);
  const search = useMemoInWords(() => {
    if (text === '' || result === undefined) return nothing;
    const { text: searched, files: found } = result;
    const { protocols, protocolTotal, assignments, assignmentTotal } = result.found;
    const uploads = findBatches(batches, searched);
    const listed = protocolTotal + assignmentTotal + uploads.length;
    const error = result.found.error ?? found?.error;
    const results = [
      ...protocols.map((protocol) => protocolResult(protocol, searched)),
      ...assignments.map((summary) => assignmentResult(summary, searched)),
      ...uploads.slice(0, limit).map((batch) => batchResult(batch, searched)),
    ];
    if (found === undefined) return { results, total: listed, searched, isComplete: false, error };
    results.push(...found.files.map((file, position) => fileResult(file, position, searched)));
    if (found.total > found.files.length) results.push(allFilesResult(searched, found.total));
    if (results.length > 0) results.push(...furtherResults(searched, listed));
    return { results, total: listed + found.total, searched, isComplete: true, error };
  }, [text, result, batches]);
  return { ...search, service };
};

const useStyles = makeStyles({
  surface: { alignSelf: 'flex-start', marginTop: '8vh', maxWidth: '600px', padding: 0, overflow: 'hidden' },
  note: { display: 'block', padding: tokens.spacingHorizontalL, color: tokens.colorNeutralForeground2 },
  scope: {
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    ':empty': { display: 'none' },
  },
  unseen,
  list: { maxHeight: '56vh', overflow: 'auto', padding: tokens.spacingVerticalS, ':empty': { display: 'none' } },
  kind: {
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalXS}`,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
  },
  result: {
    ...sideBySide(tokens.spacingHorizontalM),
    padding: `${tokens.spacingVerticalSNudge} ${tokens.spacingHorizontalM}`,
    borderRadius: tokens.borderRadiusMedium,
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  // Forced colours remove the background, but show the transparent outline, which then marks the result.
  active: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    outline: `1px solid ${tokens.colorTransparentStroke}`,
  },
  icon: { flexShrink: 0, color: tokens.colorNeutralForeground3 },
  text: { minWidth: 0 },
  line: { display: 'block', ...oneLine },
  detail: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

/**
 * A dialog that can be opened over any page. It searches what is stored on this computer, and the service for
 * protocols.
 */
export const SearchDialog = ({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) => (
  <Dialog open={open} onOpenChange={onClose}>
    <DialogSurface className={useStyles().surface} aria-label={t('search.everywhere')}>
      <SearchPanel onClose={onClose} />
    </DialogSurface>
  </Dialog>
);

/**
 * A search field and its results. The focus stays in the field. Arrow keys move the highlight, and Enter opens the
 * highlighted result.
 */
const SearchPanel = ({ onClose }: { readonly onClose: () => void }) => {
  const styles = useStyles();
  const openPlace = useApp((state) => state.open);
  const listId = useId();
  const [text, setText] = useState('');
  /**
   * The key of the highlighted result. Its position would not be enough, because the service may add results before it.
   */
  const [chosen, choose] = useState<string>();
  /** The text in the field when Enter was pressed before the results of the text had arrived. */
  const [entered, enter] = useState<string>();
  const { results, total, searched, isComplete: isHere, error, service } = useSearch(text.trim());
  /**
   * Whether the number of results can be reported. A number of 0 is reported only once the search of the service has
   * ended.
   */
  const isComplete = isHere && (results.length > 0 || service.state !== 'asking');
  const field = useRef<HTMLDivElement>(null);
  const sent = useSentBefore();
  useDropZone(field, sent.lookUp);
  const active =
    results.length === 0
      ? -1
      : Math.max(
          0,
          results.findIndex(({ key }) => key === chosen),
        );
  const showMore = (): void => go({ name: 'protocols', text: text.trim() });
  const go = (place: Place): void => {
    // Closes the dialog first, so that the opened page gets the focus.
    onClose();
    openPlace(place);
  };
  const open = (result: SearchResult | undefined): void => {
    if (result !== undefined) go(result.place);
  };
  const hasNothing = isComplete && results.length === 0 && error === undefined;
  /**
   * Whether Enter can open a result. If there is none yet, Enter waits for the files and for the service. The first
   * result can be known before the files, because files come last.
   */
  const canOpen = results.length > 0 || isComplete;
  const openChosen = (): void => open(results[active]);
  useEffect(() => {
    // Opens the result after the effects: closing the dialog calls `flushSync`, which React does not carry out within
    // an effect.
    if (entered === searched && canOpen) queueMicrotask(openChosen);
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      if (searched === text.trim() && canOpen) openChosen();
      else enter(text.trim());
    }
    // Home and End keep their function in the text field.
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    choose(results[rowAfterKey(event.key, active, results.length) ?? 0]?.key);
  };
  return (
    <>
      <ComboInput
        isLarge
        field={field}
        label={t('search.label')}
        text={text}
        onText={(typed) => {
          setText(typed);
          choose(undefined);
          enter(undefined);
        }}
        listId={listId}
        isExpanded={results.length > 0}
        active={active}
        onKeyDown={onKeyDown}
      />
      <div role="status" className={styles.unseen}>
        {isComplete && t('search.results', { count: total })}
      </div>
      <SentBeforeList {...sent} onOpen={go} />
      {text.trim() === '' && sent.isEmpty && <Text className={styles.note}>{t('search.hint')}</Text>}
      {error && <Text className={styles.note}>{errorSentences(error)}</Text>}
      {hasNothing && (
        <Text className={styles.note}>
          <strong>{t('search.nothing', { text: searched })}</strong>
          <br />
          {t('search.nothingHint')}
        </Text>
      )}
      {text.trim() !== '' && (
        <div className={styles.scope}>
          <SearchScope service={service} onShowMore={showMore} />
        </div>
      )}
      <ResultList id={listId} results={results} searched={searched} active={active} onOpen={open} />
    </>
  );
};

const icons: Readonly<Record<ResultKind, typeof ArrowUpload20Regular>> = {
  protocols: ClipboardTaskListLtr20Regular,
  assignments: TaskListLtr20Regular,
  uploads: ArrowUpload20Regular,
  files: Document20Regular,
  more: ArrowRight20Regular,
};

type ResultListProps = {
  /** The id of the list. The id of a result is this id, a dash and the result's position. */
  readonly id: string;
  readonly results: readonly SearchResult[];
  readonly searched: string;
  readonly active: number;
  readonly onOpen: (result: SearchResult) => void;
};

const DOT = ' · ';

const textOf = ({ title, details }: SearchResult): string =>
  details.length === 0 ? title : `${title}\n${details.map(({ text }) => text).join(DOT)}`;

const ResultList = ({ id, results, searched, active, onOpen }: ResultListProps) => {
  const styles = useStyles();
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <div id={id} role="listbox" aria-label={t('search.everywhere')} className={styles.list}>
      {[...Map.groupBy(results, ({ kind }) => kind)].map(([kind, found]) => {
        const name = t(`search.${kind}`);
        const Icon = icons[kind];
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
          <div key={kind} role="group" aria-label={name}>
            <div className={styles.kind} aria-hidden="true">
              {name}
            </div>
            {found.map((result) => {
              const position = results.indexOf(result);
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one.
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
                <div
                  key={result.key}
                  id={`${id}-${position}`}
                  role="option"
                  aria-selected={position === active}
                  className={mergeClasses(styles.result, position === active && styles.active)}
                  onClick={() => onOpen(result)}
                >
                  <Icon className={styles.icon} aria-hidden="true" />
                  <span className={styles.text} title={textOf(result)}>
                    <span className={styles.line}>
                      <Marked text={result.title} searched={kind === 'more' ? '' : searched} />
                    </span>
                    {result.details.length > 0 && (
                      <span className={mergeClasses(styles.line, styles.detail)}>
                        {result.details.map(({ text, isSearched }, index) => (
                          <Fragment key={text}>
                            {index > 0 && DOT}
                            <Marked text={text} searched={isSearched ? searched : ''} />
                          </Fragment>
                        ))}
                      </span>
                    )}
                    <FoundInLine fields={result.foundIn} />
                  </span>
                </div>
              );
            })}
          </div>
        );
      })}
    </div>
  );
};
