/** One check of the doctor: it has a deadline, and never stops the others. */
import type { CheckName, DoctorCheck, Found, FoundWord } from '../../../contract/doctor.ts';
import { DeskError, isBarredCode, isNameFailure, toErrorData } from '../../../contract/errors.ts';
import { cancellation, orCancelled } from '../../async/cancel.ts';

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

/** A check that makes no sense because of `cause`, which another one reports. */
export const followsFrom = (cause: DeskError): Finding => {
  const { host, origin, proxy = '' } = cause.details;
  const at = host ?? (typeof origin === 'string' ? new URL(origin).host : '');
  return { ...found(wordAfter(cause), { host: String(at), proxy: String(proxy) }), state: 'skipped' };
};

/** The error that bars the way to the host of an address, if one does. */
export type Barrier = (url: string) => DeskError | undefined;

/** `check` as one that was not made, because of `cause`. */
export const followed = ({ check, host, ms }: DoctorCheck, cause: DeskError): DoctorCheck => {
  const { found: why } = followsFrom(cause);
  return { check, ...(host !== undefined && { host }), state: 'skipped', ok: true, ...(why && { found: why }), ms };
};

const wordAfter = (cause: DeskError): FoundWord => {
  const { code } = cause;
  if (code === 'network/proxy-unreachable') return 'afterProxy';
  if (isNameFailure(cause)) return 'afterName';
  if (code === 'network/proxy-address' || code === 'network/ca-file') return 'afterSetting';
  if (code.startsWith('network/proxy-')) return 'afterProxyRefusal';
  return isBarredCode(code) ? 'afterSecurity' : 'afterHost';
};

/**
 * Runs a check. `signal` may be a person's and a deadline's at once.
 * @throws DeskError `app/cancelled` when a person aborts it; a check that is late has failed
 */
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
    const end = within.aborted ? cancellation(within) : undefined;
    if (end && end.code !== 'service/timeout') throw new DeskError('app/cancelled', 'cancelled');
    return { ...about, state: 'failed', ok: false, error: toErrorData(end ? late(host) : thrown), ms: ms() };
  }
};

const late = (host: string | undefined): DeskError =>
  new DeskError('service/timeout', 'the check took too long', {
    retry: 'later',
    details: host === undefined ? {} : { host },
  });
