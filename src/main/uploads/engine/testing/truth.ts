/**
 * For tests: what has to be true of a ledger and of the world around it at any time, and in the end. `findUntruths` and
 * `findUnfinished` return what is wrong.
 */
import { isBeingCancelled } from '../../../../contract/uploads.ts';
import type { Item } from '../../ledger/items.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { fileNameKey } from '../../source/file-names.ts';

/** The files on the assignments. */
export type Held = {
  /** The sha256 of each file, by Key. */
  readonly held: ReadonlyMap<string, string>;
  /** The Keys under which nothing is stored although the last send seemed to succeed. */
  readonly swallowed: ReadonlySet<string>;
  /**
   * Whether a file with this name and content was ever swallowed, that is, not stored although its send seemed to
   * succeed.
   */
  readonly hasSwallowed: (fileName: string, sha256: string) => boolean;
  /** Whether the storage always proves what it stores, so that a swallowed file is noticed immediately. */
  readonly isProven?: boolean;
};

export const itemsOf = ({ items }: Ledger, batch: string): readonly Item[] =>
  items.list(batch, { offset: 0, limit: 1_000 }).items;

/** The Keys of replaced files, each with the Key of the file that replaced it. */
const replacements = ({ replacedFiles }: Ledger, items: readonly Item[]): ReadonlyMap<string, string> =>
  new Map(
    items
      .filter(({ state }) => state === 'done')
      .flatMap(({ id, key: by = '' }) => replacedFiles.of(id).map(({ key }) => [key, by] as const)),
  );

/** Whether the file has its name, or may get it. A file that was skipped because the name is taken has no name. */
const hasName = ({ error }: Item): boolean => error?.code !== 'upload/name-taken';
const isTwice = (all: readonly (string | undefined)[]): boolean => new Set(all).size < all.length;

/** Returns what is wrong. Can be called at any moment, even in the middle of a batch. */
export const findUntruths = (ledger: Ledger, connectionId: string, world: Held): readonly string[] => {
  const { held, swallowed, hasSwallowed, isProven = false } = world;
  const batches = ledger.batches.list(connectionId).map((row) => ({ ...row, items: itemsOf(ledger, row.id) }));
  const all = batches.flatMap(({ items }) => items);
  const replacedBy = replacements(ledger, all);
  const checks = all.flatMap(({ id }) => ledger.replacedFiles.of(id).filter(({ isCheck }) => isCheck));
  const isThere = (key: string): boolean => {
    const by = replacedBy.get(key);
    return held.has(key) || (by !== undefined && isThere(by));
  };
  const mayHold = all.filter(({ state, unclear }) => state === 'done' || unclear).map(({ key }) => key);
  const known = new Set([...mayHold, ...checks.map(({ key }) => key)]);
  // Files that a cancellation or a new attempt has removed, and files that are about to be replaced, are left out.
  const there = all.filter(({ state, key = '' }) => state === 'done' && held.has(key) && !replacedBy.has(key));
  /**
   * Whether another file has the name of this file now. The file that replaced this one may have been replaced in turn.
   */
  const isSucceeded = (item: Item): boolean =>
    all.some(
      ({ state, key = '', removed, fileName }) =>
        state === 'done' && !removed && held.has(key) && fileNameKey(fileName) === fileNameKey(item.fileName),
    );
  const ofItem = (item: Item): string | undefined => {
    const { state, key = '', sha256, fileName, removed } = item;
    // A file that was swallowed unnoticed cannot be known before the service lists the files.
    if (state === 'done' && swallowed.has(key) && !isProven) return undefined;
    if (state === 'done' && removed && !held.has(key) && isSucceeded(item)) return undefined;
    if (state === 'done' && replacedBy.has(key))
      return isThere(key) ? undefined : `neither ${fileName} nor what replaces it is there`;
    if (state === 'done')
      return held.get(key) === sha256
        ? undefined
        : `${fileName} is done as ${sha256?.slice(0, 8)}, and its Key ${key} holds ${held.get(key)?.slice(0, 8)}`;
    // A swallowed file counts as stored until the loss is noticed. In the end it has been sent again.
    if (state !== 'skipped' || sha256 === undefined || hasSwallowed(fileName, sha256)) return undefined;
    const twins = all.filter(
      (other) => other.state === 'done' && fileNameKey(other.fileName) === fileNameKey(fileName),
    );
    return twins.some((twin) => twin.sha256 === sha256) ? undefined : `${fileName} is skipped and was not there`;
  };
  return [
    ...[...held.keys()].filter((key) => !known.has(key)).map((key) => `the ledger does not know of ${key}`),
    ...(isTwice(mayHold) ? ['two files share a Key'] : []),
    ...(isTwice(there.map(({ fileName }) => fileNameKey(fileName))) ? ['two files of an assignment share a name'] : []),
    ...batches.flatMap(({ id, state, items }) => [
      ...(isTwice(items.filter(hasName).map(({ fileName }) => fileNameKey(fileName)))
        ? ['two files of a batch share a name']
        : []),
      ...(state === 'finished' && ledger.knownFiles.takeLost(id, false).length > 0
        ? ['a batch has finished with a file that it knows lost']
        : []),
    ]),
    ...all.flatMap((item) => ofItem(item) ?? []),
  ];
};

/**
 * Returns what is wrong after the world has become reliable again and every batch has ended. `askedFor`: the paths that
 * a batch was started with; `present`: the paths that exist now.
 */
export const findUnfinished = (
  ledger: Ledger,
  connectionId: string,
  { held, hasSwallowed }: Pick<Held, 'held' | 'hasSwallowed'>,
  folders: {
    readonly askedFor: (batch: string) => readonly string[];
    readonly present: (batch: string) => readonly string[];
  },
): readonly string[] => {
  const batches = ledger.batches.list(connectionId);
  const all = batches.flatMap(({ id }) => itemsOf(ledger, id));
  const sent = new Set(all.filter(({ state }) => state === 'done').map(({ sha256 }) => sha256));
  const known = new Set(
    batches.flatMap(({ assignmentId }) => ledger.knownFiles.list({ connectionId, assignmentId }).map(({ Key }) => Key)),
  );
  return [
    // A file that turned out to be lost was sent again, or is recorded as removed.
    ...all
      .filter(({ state, removed, key = '' }) => state === 'done' && !removed && !known.has(key))
      .map(({ fileName, key }) => `${fileName} is done, and its Key ${key} is not known to hold it`),
    ...[...replacements(ledger, all).keys()]
      .filter((key) => held.has(key))
      .map((key) => `${key} was replaced and is there`),
    // A file that was sent again may have got another name. A version that was swallowed may be gone by the time that
    // the loss is noticed.
    ...all
      .filter(
        ({ state, sha256, fileName }) =>
          state === 'skipped' && sha256 !== undefined && !sent.has(sha256) && !hasSwallowed(fileName, sha256),
      )
      .map(({ fileName }) => `${fileName} was skipped and never sent`),
    ...batches.flatMap((row): readonly string[] => {
      const items = itemsOf(ledger, row.id);
      const open = items.filter(({ state }) => !['done', 'skipped', 'cancelled'].includes(state));
      const unended = open.map(({ path, state, error }) => `${path} is ${state} ${error?.code ?? ''}`);
      if (row.state === 'cancelled') return unended;
      const paths = items.map(({ path }) => path);
      const present = new Set(folders.present(row.id));
      return [
        ...unended,
        ...(row.state === 'finished' && !isBeingCancelled(row) ? [] : [`a batch is ${row.state}`]),
        ...folders
          .askedFor(row.id)
          .filter((path) => !paths.includes(path))
          .map((path) => `${path} is lost`),
        ...paths.filter((path) => !present.has(path)).map((path) => `${path} is made up`),
        ...(isTwice(paths) ? ['a file is there twice'] : []),
      ];
    }),
  ];
};
