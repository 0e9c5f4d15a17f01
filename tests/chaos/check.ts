/** Checks that an assignment holds exactly the files of a folder, each once and with its content. */
import type { AssignmentFiles } from '../../src/contract/resources.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { type Call, put, sign } from '../../src/sandbox/testing/client.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';

type Check = {
  readonly sandbox: Sandbox;
  readonly call: Call;
  readonly assignment: string;
  /** The Keys that the service listed before the upload. */
  readonly before: ReadonlySet<string>;
  /** The SHA-256 of each file of the folder, by its FileName. */
  readonly expected: ReadonlyMap<string, string>;
};

/** Compares the storage and the service's list of files with the folder. Resolves to one line for each difference. */
export const findProblems = async (check: Check): Promise<readonly string[]> => {
  const { sandbox, call, assignment, before, expected } = check;
  const control = createSandboxControl(sandbox);
  const stored = (await control.objects()).filter(({ AssignmentId }) => AssignmentId === assignment);
  const { violations } = await control.stats();
  const keys = new Set(stored.map(({ Key }) => Key));
  const listed = new Set([...(await listKeys(call, assignment))].filter((key) => !before.has(key)));
  const byName = Map.groupBy(stored, ({ FileName }) => FileName);
  return [
    ...[...expected.keys()].filter((name) => !byName.has(name)).map((name) => `lost: ${name}`),
    ...[...byName].filter(([, objects]) => objects.length > 1).map(([name]) => `more than once: ${name}`),
    ...stored.filter(({ FileName }) => !expected.has(FileName)).map(({ FileName }) => `not asked for: ${FileName}`),
    ...stored
      .filter(({ FileName, sha256 }) => expected.has(FileName) && expected.get(FileName) !== sha256)
      .map(({ FileName }) => `other bytes: ${FileName}`),
    ...[...keys].filter((key) => !listed.has(key)).map((key) => `stored, not on the assignment: ${key}`),
    ...[...listed].filter((key) => !keys.has(key)).map((key) => `on the assignment, not stored: ${key}`),
    ...Object.entries(violations)
      .filter(([, count]) => count > 0)
      .map(([violation, count]) => `${violation}: ${count} times`),
  ];
};

/**
 * Resolves to one line for each of the files `earlier` that the storage lost: it has neither that file nor its
 * replacement.
 */
export const findLosses = async (
  sandbox: Sandbox,
  assignment: string,
  earlier: readonly string[],
): Promise<readonly string[]> => {
  const stored = await createSandboxControl(sandbox).objects();
  const there = new Set(stored.filter((object) => object.AssignmentId === assignment).map(({ FileName }) => FileName));
  return earlier.filter((name) => !there.has(name)).map((name) => `neither version is there: ${name}`);
};

/**
 * Resolves to the Keys of an assignment's files. Only the response to a removal lists them, so a file is uploaded and
 * removed.
 */
export const listKeys = async (call: Call, assignment: string): Promise<ReadonlySet<string>> => {
  const { Key, Url } = await sign(call, assignment, 'to be removed.txt');
  await put(Url, 'x');
  const answer = await call('DELETE', `/contractor/assignments/${assignment}/files`, { Key });
  const { Files } = (await answer.json()) as AssignmentFiles;
  return new Set(Files.map((file) => file.Key));
};
