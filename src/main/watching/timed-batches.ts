/** What to do with a batch that is sent within hours only. Pure. */

/** `paused`: it rests while the hours are over; `overruled`: a person resumed it before they open again. */
export type TimedState = { readonly paused: boolean; readonly overruled: boolean };

/** The batch as the ledger has it. `scheduled`: paused because the hours are over; `paused`: by a person; `stopped`: by a problem. */
export type BatchPhase = 'active' | 'scheduled' | 'paused' | 'stopped' | 'ended';

export type TimedStep = TimedState & { readonly act?: 'pause' | 'resume' | 'forget' };

/** The next state, and what makes it true. `isOpen`: whether files may be sent now. */
export const timedStep = (state: TimedState, phase: BatchPhase, isOpen: boolean): TimedStep => {
  if (phase === 'ended') return { ...state, act: 'forget' };
  if (isOpen) {
    const next = { paused: false, overruled: false };
    return phase === 'scheduled' ? { ...next, act: 'resume' } : next;
  }
  if (phase === 'scheduled' || phase === 'paused') return { paused: true, overruled: false };
  if (phase === 'stopped' || state.overruled) return state;
  // It rested and runs again: a person resumed it.
  return state.paused ? { paused: true, overruled: true } : { paused: true, overruled: false, act: 'pause' };
};
