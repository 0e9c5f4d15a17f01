/** One check of the doctor: it has a deadline, and never stops the others. */
import type { CheckName, DoctorCheck, Found, FoundWord } from '../../../contract/doctor.ts';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { orCancelled } from '../../async/cancel.ts';

/** What a check found. `error`: why it is a warning. A check that fails throws instead. */
export type Finding = {
  readonly found?: Found;
  readonly error?: DeskError;
  readonly state?: 'warning' | 'skipped';
};

/** Longer than any healthy network takes. */
const DEADLINE_MS = 15_000;

export const found = (word: FoundWord, values: Found['values'] = {}): Finding => ({ found: { word, values } });

/** A check that makes no sense here, and why. */
export const skipped = (word: FoundWord): Finding => ({ ...found(word), state: 'skipped' });

/** Runs a check. @throws DeskError `app/cancelled` when `signal` is aborted */
export const runCheck = async (
  check: CheckName,
  signal: AbortSignal,
  find: (signal: AbortSignal) => Promise<Finding> | Finding,
  host?: string,
): Promise<DoctorCheck> => {
  const startedMs = performance.now();
  const within = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  const about = { check, ...(host !== undefined && { host }) };
  const ms = (): number => Math.round(performance.now() - startedMs);
  try {
    const { state = 'ok', error, ...what } = await orCancelled(Promise.resolve(find(within)), within);
    return { ...about, state, ok: true, ...what, ...(error && { error: toErrorData(error) }), ms: ms() };
  } catch (thrown) {
    if (signal.aborted) throw new DeskError('app/cancelled', 'cancelled');
    return { ...about, state: 'failed', ok: false, error: toErrorData(within.aborted ? late(host) : thrown), ms: ms() };
  }
};

const late = (host: string | undefined): DeskError =>
  new DeskError('service/timeout', 'the check took too long', {
    retry: 'later',
    details: host === undefined ? {} : { host },
  });
