/**
 * Hostile archives and mails: each is opened as far as that is safe, or reported with the reason, within the limits.
 */
import { writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Unopened } from '../../src/contract/drafts.ts';
import { DeskError } from '../../src/contract/errors.ts';
import { createArchives } from '../../src/main/uploads/source/archives.ts';
import { factsOf, innerFacts } from '../../src/main/uploads/source/file-identity.ts';
import { fileNameCandidates } from '../../src/main/uploads/source/file-names.ts';
import { insideOf } from '../../src/main/uploads/source/paths.ts';
import { makeDirectory } from '../integration/support/folders.ts';
import { attacks } from './support/hostile-archives.ts';

const MEMORY_BYTES = 200 * 1024 * 1024;
/** A shorter time limit than the app's 10 s, for attacks that use all of the time. */
const BUSY_MS = 1_000;
/** An attack that ignores its limits takes minutes. */
const TIMEOUT_MS = 60_000;
/** The number of files that are read from each archive, which is enough to notice what is wrong with it. */
const READ_FILES = 3;
const READ_BYTES = 1024 * 1024;

// All attacks use the same workers, so each attack also shows whether its worker still works after the previous attack.
const bugs: unknown[] = [];
const workerOf = (busyMs?: number) =>
  createArchives(
    new URL('../../src/main/uploads/source/read-worker.ts', import.meta.url),
    undefined,
    (bug) => bugs.push(bug),
    busyMs,
  );
const usual = workerOf();
const hurried = workerOf(BUSY_MS);
afterAll(() => Promise.all([usual.close(), hurried.close()]));

test('A18: there are 100 of them', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(100);
});

test.each(attacks)('A18: $title', { timeout: TIMEOUT_MS }, async ({ file, make, outcome }) => {
  const path = join(makeDirectory(), file);
  writeFileSync(path, make());
  const { list, open } = outcome === 'stopped' ? hurried : usual;
  const facts = factsOf(await stat(path, { bigint: true }));
  const beforeBytes = process.memoryUsage.rss();
  const found = await list(path, facts);
  expect(process.memoryUsage.rss() - beforeBytes).toBeLessThan(MEMORY_BYTES);
  if (outcome !== 'any') expect('unopened' in found ? found.unopened : 'opened').toBe(outcome);
  if ('unopened' in found) Unopened.parse(found.unopened);
  else
    for (const inner of found.files.slice(0, READ_FILES + 1)) {
      expect(inner.path.split('/')).not.toContain('..');
      const name = fileNameCandidates(insideOf(file, inner.path)).next().value;
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d|conin\$)(\.|$)|[/\\\0]/i);
      if (inner.sizeBytes > READ_BYTES) continue;
      const content = await open(insideOf(path, inner.path), innerFacts(facts, inner.sizeBytes)).catch(
        (error) => error,
      );
      if (content instanceof DeskError) expect(content.code).toBe('upload/archive-damaged');
      else expect(content.whole.length).toBe(inner.sizeBytes);
    }
  expect(bugs).toEqual([]);
});
