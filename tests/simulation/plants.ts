/** Faults that are planted into the app one at a time. The simulation has to find each of them. */
type Plant = {
  /** The path below `src/main`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Whether only whole apps have this part. Histories of the engine alone then cannot find the fault. */
  readonly needsApps: boolean;
};

const plant = (file: string, from: string, to: string): Plant => ({ file, from, to, needsApps: false });
const inApps = (file: string, from: string, to: string): Plant => ({ ...plant(file, from, to), needsApps: true });
const machine = 'uploads/transfer/transfer-machine.ts';
const transfer = 'uploads/transfer/transfer.ts';

export const PLANTS: Readonly<Record<string, Plant>> = {
  'a file is sent before the ledger knows its Key': plant(
    transfer,
    '    await ledger.commit(() => write(isInBlocks(dialect, sizeBytes, blocks.aboveBytes)));\n    const { host }',
    '    const { host }',
  ),
  'any response of 2xx is believed': plant(
    'uploads/storage/put-file.ts',
    'proof === undefined || Boolean(headerOf(headers, proof))',
    'true',
  ),
  'a damaged object is believed': plant(
    'uploads/storage/put-file.ts',
    "if (compared === 'damaged') {",
    "if (compared === 'equal' && response.status === 299) {",
  ),
  'an attempt without a response is forgotten': plant(
    machine,
    "again({ ...now, unclear: true }, outcome.error);\n    case 'later'",
    "again({ ...now, unclear: false }, outcome.error);\n    case 'later'",
  ),
  'a file without a clear response gets another Key': plant(
    machine,
    ": again({ ...now, unclear: true }, outcome.error);\n    case 'later'",
    ": signAgain(now, outcome.error);\n    case 'later'",
  ),
  'an interrupted file gets another Key': plant(
    machine,
    'if (key === undefined) return sign;',
    'if (fresh) return sign;',
  ),
  'a dead Url is replaced without removing its Key': plant(
    machine,
    "if (unclear) return { step: 'settle', key, unclear, resigned, tries, error: outcome.error };\n      if (outcome.type",
    'if (outcome.type',
  ),
  'an interrupted file counts as not sent': plant(
    'uploads/ledger/items.ts',
    "unclear: row.unclear === 1 || (state === 'sending' && row.unclear !== BLOCKS_ONLY)",
    'unclear: row.unclear === 1',
  ),
  'a file is sent whatever it has become': plant(
    'uploads/source/file-identity.ts',
    "if (!found.isFile()) return 'it is not a file any more';",
    'if (found.isFile()) return undefined;',
  ),
  'files of one name are not compared': plant(
    transfer,
    'if (namesakes.length === 0) return undefined;',
    'if (namesakes.length >= 0) return undefined;',
  ),
  'two files of one name do not wait for each other': plant(
    transfer,
    'if (free) return free;',
    'if (key.length > 0) return free ?? Object.assign(() => {}, { [Symbol.dispose]: () => {} });',
  ),
  'a cancelled file stays on its assignment': plant(
    'uploads/engine/batch-actions.ts',
    'key === undefined || takeBack(context, batch, { id, key }, signal)',
    'key !== undefined',
  ),
  'what may arrive after a cancellation is forgotten': plant(
    'uploads/transfer/remove-file.ts',
    '(unanswered.get(id) ?? 0) > Number(isRemoved)',
    'unanswered.has(id) && id < 0 && isRemoved',
  ),
  'a removal is believed without a response': plant(
    'uploads/transfer/remove-file.ts',
    '    await removeFile(context, assignment, key, signal);\n    return true;',
    '    await removeFile(context, assignment, key, signal).catch(() => {});\n    return true;',
  ),
  'the list in the response to a removal is not read': plant(
    'uploads/transfer/remove-file.ts',
    '...(response ? ledger.knownFiles.listed(assignment, response, askedMs, now(), listLagMs) : []),',
    '',
  ),
  'the earlier file is removed before the new one is there': plant(
    'uploads/transfer/transfer-machine.ts',
    "step: isCertain ? 'remove' : 'look'",
    "step: 'remove'",
  ),
  'the earlier file is not removed': plant(
    'uploads/transfer/remove-replaced.ts',
    "find(({ state }) => state === 'pending')",
    "find(({ state, isCheck }) => state === 'pending' && isCheck)",
  ),
  'a retry expects the file as it was': plant(
    'uploads/ledger/items.ts',
    'size_bytes = coalesce(?, size_bytes), modified_ms = coalesce(?, modified_ms),\n     file_id',
    'size_bytes = coalesce(size_bytes, ?), modified_ms = coalesce(modified_ms, ?),\n     file_id',
  ),
  'a cancelled upload is taken up again': plant(
    'uploads/engine/uploads.ts',
    '    if (isBeingCancelled(row)) {\n      cancelOrJoin(id)',
    "    if (isBeingCancelled(row) && row.id === '') {\n      cancelOrJoin(id)",
  ),
  'a file that was lost is not sent again': plant(
    'uploads/transfer/remove-file.ts',
    "ledger.items.lost(item, { keepsKey: !isKeyTaken, again: how === 'send again' }, now());",
    '',
  ),
  'a scan that was interrupted counts as whole': plant(
    'uploads/engine/batch-supervisor.ts',
    'let isPlanned = row.scanned;',
    'let isPlanned = row.scanned || items.pending(id, 1).length > 0;',
  ),
  'an interrupted scan adds its files again': plant(
    'uploads/transfer/names.ts',
    'const named = known.filter(({ id }) => id !== renamed);',
    'const named = known.filter(({ id }) => id < 0 && id !== renamed);',
  ),
  'a pause ends the upload': plant(
    'uploads/engine/uploads.ts',
    "if (!isPausable(rowOf(id))) return;\n      batches.setState(id, 'paused', reason);",
    'if (!isPausable(rowOf(id))) return;\n      batches.setFinished(id, now());',
  ),
  'a watched file is taken before it is stable': inApps(
    'uploads/watching/pending-files.ts',
    'stillAtMs = ({ sinceMs }: Seen, settleMs: number): number => sinceMs + settleMs',
    'stillAtMs = ({ sinceMs }: Seen, settleMs: number): number => sinceMs + settleMs / 100',
  ),
  'what a watched folder has sent is forgotten': inApps(
    'uploads/watching/send-files.ts',
    '({ sha256 }) => sha256 === sent',
    "({ sha256 }) => sha256 === ''",
  ),
  'a hint about a watched folder counts as a scan': inApps(
    'uploads/watching/folder-watch.ts',
    'for (const hint of followed) await follow(hint);',
    'for (const hint of followed) {\n        await follow(hint);\n        scanAtMs = nowMs() + 1e9;\n      }',
  ),
  'a change in the outbox is sent twice after a death': inApps(
    'outbox/outbox.ts',
    'done: () => store.remove(entry.id),',
    "done: () => (performance.now() % 2 < 1 ? store.remove(entry.id) : store.refused(entry.id, new DeskError('service/failed', ''))),",
  ),
  'a later change does not replace a pending one': inApps(
    'outbox/outbox.ts',
    'if (store.supersede(by, wanted.AssignmentId)) report();',
    '',
  ),
  'a change that cannot be sent is forgotten': inApps(
    'outbox/outbox.ts',
    '        store.put(by, wanted, now());\n',
    '',
  ),
  'the outbox of another user is sent': inApps(
    'outbox/outbox.ts',
    '.filter((row) => isSameUser({ subject: textOf(row.subject) }, owner))',
    '',
  ),
  'a refresh token is used again': inApps(
    'auth/session.ts',
    '      tokens = next;\n',
    '      tokens = { ...next, refreshToken: old.refreshToken };\n',
  ),
  'renewed tokens are not stored': inApps(
    'auth/session.ts',
    'if (!overtaken()) await vault.save(next).catch(notice);',
    'if (!overtaken() && next.accessToken === old.accessToken) await vault.save(next).catch(notice);',
  ),
  'each caller refreshes for itself': inApps(
    'auth/session.ts',
    'if (refreshing?.of !== old) {',
    'if (refreshing?.of !== old || true) {',
  ),
  'a sign-out leaves what is stored': inApps('auth/session.ts', '    await inTurn(vault.erase);\n', ''),
  'a sign-out leaves the session running': inApps(
    'auth/session.ts',
    '    tokens = undefined;\n    stopRefresh();',
    '    stopRefresh();',
  ),
  'a call goes on as another user': inApps(
    'auth/session.ts',
    'if (isRenewed && subjectOf(former) !== subjectOf(current.accessToken)) throw required();',
    '',
  ),
  'a review is not kept': inApps(
    'core/drafts/stored-draft.ts',
    'await replaceFile(path, async (temporary) => {',
    "await replaceFile(path + '.new', async (temporary) => {",
  ),
  'a watched folder replaces the files of another computer': inApps(
    'uploads/watching/send-files.ts',
    '          onClash,\n        })),',
    "          onClash: 'replace',\n        })),",
  ),
  'a call that waited is sent in a session that has ended': inApps(
    'service/client.ts',
    [
      'const calledMs = await gate.pass(url.host, {',
      '        signal,',
      '        // A repeat after a 401 does not wait for its turn. Otherwise a call with a short maximum wait would fail before',
      '        // it gets a new token.',
      '        isUrgent: isUrgent || asked.stale !== undefined,',
      '        maxWaitMs: Math.min(retry.maxRetryAfterMs, leftMs()),',
      '      });',
      '      // The token is requested after the gate, because renewing an expired token costs a request.',
      '      const token = await tokens.accessToken({ ...asked, signal })',
    ].join('\n'),
    [
      'const early = tokens.accessToken({ ...asked, signal });',
      'early.catch(() => {});',
      'const calledMs = await gate.pass(url.host, {',
      '  signal, isUrgent, maxWaitMs: Math.min(retry.maxRetryAfterMs, leftMs()),',
      '});',
      'const token = await early',
    ].join('\n'),
  ),
};
