import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import type { SendOutcome } from '../storage/send-outcome.ts';
import {
  afterSend,
  afterSettle,
  afterSign,
  begin,
  type SettleOutcome,
  type SignOutcome,
  STEP_RETRY,
  type Transfer,
} from './transfer-machine.ts';

const proof = { sha256: 'hash', etag: undefined };
const error = new DeskError('service/busy', 'busy', { retry: 'later' });

const sendType = fc.constantFrom('stored', 'unclear', 'later', 'damaged', 'expired', 'refused', 'unsendable');
const askType = fc.constantFrom('granted', 'later', 'refused');

/** A model of the storage: Keys that hold the file's bytes. */
type World = { readonly held: ReadonlySet<string>; readonly keys: number };

const send = (key: string, type: SendOutcome['type'], arrived: boolean, free: boolean, world: World) => {
  const lands = ['stored', 'damaged'].includes(type) || (type === 'unclear' && arrived);
  const unstored = type === 'unclear' ? { type, error, free } : { type: type === 'stored' ? 'later' : type, error };
  const outcome: SendOutcome = type === 'stored' ? { type, proof } : unstored;
  return { outcome, world: lands ? { ...world, held: new Set([...world.held, key]) } : world };
};

describe('the transfer of one file', () => {
  it('ends, holds at most one Key, and reports it truthfully, whatever happens', () => {
    const chance = fc.boolean();
    const event = fc.record({ sent: sendType, asked: askType, arrived: chance, free: chance, crash: chance });
    const script = fc.array(event, { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(script, (events) => {
        let world: World = { held: new Set(), keys: 0 };
        let now: Transfer = begin({ unclear: false });
        for (const event of events) {
          if (now.step === 'end') break;
          if (now.step === 'sign') {
            expect(world.held.size, 'nothing may be signed while a Key holds the file').toBe(0);
            const key = `key-${world.keys}`;
            const outcome: SignOutcome =
              event.asked === 'granted' ? { type: 'signed', key, url: `url-${key}` } : { type: event.asked, error };
            if (outcome.type === 'signed') world = { ...world, keys: world.keys + 1 };
            now = afterSign(now, outcome);
          } else if (now.step === 'send') {
            const done = send(now.key, event.sent, event.arrived, event.free, world);
            world = done.world;
            // A crash loses the outcome; the ledger still has the Key and Url, in state `sending`.
            now = event.crash ? begin({ key: now.key, url: now.url, unclear: true }) : afterSend(now, done.outcome);
          } else {
            const settled = event.asked === 'granted';
            const key: string = now.key;
            if (settled) world = { ...world, held: new Set([...world.held].filter((held) => held !== key)) };
            const outcome: SettleOutcome = settled
              ? { type: 'settled' }
              : { type: event.asked === 'later' ? 'later' : 'refused', error };
            now = afterSettle(now, outcome);
          }
          expect(world.held.size).toBeLessThanOrEqual(1);
        }
        if (now.step !== 'end') return; // many crashes, or outages, in a row
        if (now.end === 'done') expect([...world.held]).toEqual([now.key]);
        else if (!now.unclear) expect(world.held.size).toBe(0);
        else expect(now.key).toBeDefined();
      }),
      { numRuns: 3000 },
    );
  });

  it('fails after a limited number of attempts', () => {
    let now: Transfer = begin({ unclear: false });
    let steps = 0;
    while (now.step === 'sign') {
      now = afterSign(now, { type: 'later', error });
      steps += 1;
    }
    expect(steps).toBe(STEP_RETRY.attempts);
    expect(now).toMatchObject({ end: 'failed', unclear: false });
  });

  it('B15: an outage does not count as an attempt, but what it left behind is remembered', () => {
    const sending = { step: 'send', key: 'a', url: 'a', unclear: false, resigned: false, tries: 2 } as const;
    const after = afterSend(sending, { type: 'unclear', error, free: true });
    expect(after).toMatchObject({ step: 'send', key: 'a', url: 'a', unclear: true, tries: 2 });
    expect(afterSend(after as typeof sending, { type: 'expired', error })).toMatchObject({ step: 'settle', key: 'a' });
  });

  it('returns to the same Url after a crash', () => {
    expect(begin({ key: 'k', url: 'u', unclear: true })).toMatchObject({ step: 'send', key: 'k', url: 'u' });
  });

  it('requests one new signature when an unused Url has expired, then fails', () => {
    const first = afterSend(
      { step: 'send', key: 'a', url: 'a', unclear: false, resigned: false, tries: 0 },
      { type: 'expired', error },
    );
    expect(first).toMatchObject({ step: 'sign', resigned: true });
    const second = afterSign(first as Transfer & { step: 'sign' }, { type: 'signed', key: 'b', url: 'b' });
    expect(afterSend(second as Transfer & { step: 'send' }, { type: 'expired', error })).toMatchObject({
      end: 'failed',
    });
  });

  it('removes an object that is repeatedly stored damaged, and fails', () => {
    const damaged = new DeskError('upload/damaged', 'damaged', { retry: 'later' });
    let now: Transfer = { step: 'send', key: 'a', url: 'a', unclear: false, resigned: false, tries: 0 };
    let sends = 0;
    while (now.step === 'send') {
      now = afterSend(now, { type: 'damaged', error: damaged });
      sends += 1;
    }
    expect(sends).toBe(STEP_RETRY.attempts);
    expect(now).toMatchObject({ step: 'settle', key: 'a' });
    expect(afterSettle(now as Transfer & { step: 'settle' }, { type: 'settled' })).toMatchObject({
      end: 'failed',
      error: damaged,
      unclear: false,
    });
  });

  it('is uncertain when an unclear Key cannot be removed, and keeps that Key', () => {
    const settle = afterSend(
      { step: 'send', key: 'a', url: 'a', unclear: true, resigned: false, tries: 1 },
      { type: 'refused', error },
    );
    expect(settle).toMatchObject({ step: 'settle', key: 'a' });
    expect(afterSettle(settle as Transfer & { step: 'settle' }, { type: 'refused', error })).toMatchObject({
      end: 'uncertain',
      key: 'a',
      unclear: true,
    });
  });
});
