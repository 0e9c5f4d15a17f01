import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import type { SendOutcome } from '../storage/put-file.ts';
import {
  afterLook,
  afterRemoval,
  afterSend,
  afterSettle,
  afterSign,
  begin,
  beginRemoval,
  type LookOutcome,
  type SettleOutcome,
  type SignOutcome,
  STEP_RETRY,
  type Transfer,
} from './transfer-machine.ts';

type Removal = ReturnType<typeof beginRemoval>;

const proof = { sha256: 'hash', etag: undefined, isSound: false };
const error = new DeskError('service/busy', 'busy', { retry: 'later' });

const sendType = fc.constantFrom('stored', 'lied', 'unclear', 'later', 'damaged', 'expired', 'refused', 'unsendable');
const askType = fc.constantFrom('granted', 'later', 'refused');

/** A model of the storage. `held`: the Keys that hold the file's bytes; `keys`: how many Keys were signed. */
type World = { readonly held: ReadonlySet<string>; readonly keys: number };

/**
 * Sends the file. `lied`: the file is not stored, but a proxy responds like a storage whose responses have no proof of
 * their origin.
 */
const send = (key: string, { sent, arrived, free, continues }: Event, world: World) => {
  const lands = ['stored', 'damaged'].includes(sent) || (sent === 'unclear' && arrived);
  const type = sent === 'lied' ? 'stored' : sent;
  const unstored =
    type === 'unclear' ? { type, error, free } : { type: type === 'stored' ? 'later' : type, error, continues };
  const outcome: SendOutcome = type === 'stored' ? { type, proof } : unstored;
  return { outcome, world: lands ? { ...world, held: new Set([...world.held, key]) } : world };
};

const chance = fc.boolean();
/** What happens in one step: how the storage and the service respond, and whether the process dies. */
const event = fc.record({
  sent: sendType,
  asked: askType,
  arrived: chance,
  free: chance,
  crash: chance,
  continues: chance,
});
const script = fc.array(event, { minLength: 60, maxLength: 60 });
type Event = typeof event extends fc.Arbitrary<infer One> ? One : never;

const without = (world: World, key: string): World => ({
  ...world,
  held: new Set([...world.held].filter((held) => held !== key)),
});

/** Removes the file. The response may be lost after the removal. */
const remove = (key: string, { asked, arrived }: Event, world: World): { outcome: SettleOutcome; world: World } => {
  if (asked === 'granted') return { outcome: { type: 'settled' }, world: without(world, key) };
  const isLost = asked === 'later' && arrived;
  return { outcome: { type: asked, error }, world: isLost ? without(world, key) : world };
};

/** Looks for the new file in the service's list. The response may be lost. */
const look = ({ asked }: Event, world: World, key = ''): LookOutcome =>
  asked === 'granted' ? { type: world.held.has(key) ? 'there' : 'missing' } : { type: asked, error };

/** Makes one step of a transfer. `world` may also hold other files. */
const step = (now: Exclude<Transfer, { step: 'end' }>, event: Event, world: World): { now: Transfer; world: World } => {
  if (now.step === 'sign') {
    const key = `key-${world.keys}`;
    if (event.asked !== 'granted') return { now: afterSign(now, { type: event.asked, error }), world };
    const signed: SignOutcome = { type: 'signed', key, url: `url-${key}`, continues: event.continues };
    return { now: afterSign(now, signed), world: { ...world, keys: world.keys + 1 } };
  }
  if (now.step === 'send') {
    const done = send(now.key, event, world);
    // A crash loses the outcome; the ledger still has the Key and the Url, in state `sending`.
    const again = begin({ key: now.key, url: now.url, unclear: true });
    return { now: event.crash ? again : afterSend(now, done.outcome), world: done.world };
  }
  const removed = remove(now.key, event, world);
  return { now: afterSettle(now, removed.outcome), world: removed.world };
};

describe('the transfer of one file', () => {
  it('ends, holds at most one Key, and reports it truthfully, whatever happens', () => {
    fc.assert(
      fc.property(script, (events) => {
        let world: World = { held: new Set(), keys: 0 };
        let now: Transfer = begin({ unclear: false });
        /**
         * Whether the last send lied. Only a list of the service would show that, and sending a single file requests no
         * list.
         */
        let lied = false;
        for (const event of events) {
          if (now.step === 'end') break;
          if (now.step === 'sign') expect(world.held.size, 'nothing may be signed while a Key holds the file').toBe(0);
          if (now.step === 'send' && !event.crash) lied = event.sent === 'lied';
          ({ now, world } = step(now, event, world));
          expect(world.held.size).toBeLessThanOrEqual(1);
        }
        if (now.step !== 'end') return; // many crashes, or outages, in a row
        // An earlier attempt may have stored the file nevertheless.
        if (now.end === 'done') expect([...world.held]).toEqual(lied && world.held.size === 0 ? [] : [now.key]);
        else if (!now.unclear) expect(world.held.size).toBe(0);
        else expect(now.key).toBeDefined();
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['replaces another file without ever losing the only copy, whatever the storage claims', false],
    ['replaces another file in a storage that proves what it holds', true],
  ])('%s', (_, isProven) => {
    const EARLIER = 'earlier';
    fc.assert(
      fc.property(script, (events) => {
        let world: World = { held: new Set([EARLIER]), keys: 0 };
        let now: Transfer | Removal = begin({ unclear: false });
        /** The Key of the new file once the ledger says that it is done. */
        let done: string | undefined;
        for (const event of events) {
          if (now.step === 'look') {
            now = event.crash ? beginRemoval(false) : afterLook(now, look(event, world, done));
          } else if (now.step === 'remove') {
            const removed = remove(EARLIER, event, world);
            world = removed.world;
            // A crash loses the outcome; the ledger still lists the file as one to remove.
            now = event.crash ? beginRemoval(false) : afterRemoval(now, removed.outcome);
          } else if (now.step !== 'end') {
            const sent: Event = isProven && event.sent === 'lied' ? { ...event, sent: 'unclear' } : event;
            ({ now, world } = step(now, sent, world));
          } else if ('end' in now && now.end === 'done' && done === undefined) {
            const key: string = now.key;
            if (!event.crash) done = key;
            now = event.crash ? begin({ key, url: `url-${key}`, unclear: true }) : beginRemoval(isProven);
          } else if (now.end === 'kept') {
            // The service does not list the new file: its Key is settled before the file is sent again.
            now = done === undefined ? now : begin({ key: done, unclear: true });
            done = undefined;
          } else break;
          expect(world.held.has(EARLIER) || (done !== undefined && world.held.has(done))).toBe(true);
        }
        const isReplaced = now.step === 'end' && now.end === 'removed';
        if (isReplaced) expect([...world.held]).toEqual([done]);
        if (done === undefined) expect(world.held).toContain(EARLIER);
      }),
      { numRuns: 3000 },
    );
  });

  it('ends in three steps once the storage and the service work, whatever happened before', () => {
    const works: Event = {
      sent: 'stored',
      asked: 'granted',
      arrived: true,
      free: false,
      crash: false,
      continues: false,
    };
    fc.assert(
      fc.property(fc.array(event, { maxLength: 10 }), (events) => {
        let world: World = { held: new Set(), keys: 0 };
        let now: Transfer = begin({ unclear: false });
        for (const one of [...events, works, works, works])
          if (now.step !== 'end') ({ now, world } = step(now, one, world));
        expect(now.step).toBe('end');
        if (events.length === 0) expect(now).toEqual({ step: 'end', end: 'done', key: 'key-0', proof });
      }),
      { numRuns: 300 },
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

  it('an outage does not count as an attempt, but what it left behind is remembered', () => {
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

  it('requests a signature as often as a Url expires before the file has its turn', () => {
    const sending = { step: 'send', key: 'a', url: 'a', unclear: false, resigned: true, tries: 2 } as const;
    const sign = afterSend(sending, { type: 'expired', error, free: true });
    expect(sign).toMatchObject({ step: 'sign', resigned: true, tries: 2 });
  });

  it('requests a signature as often as the blob has more blocks, and otherwise sends the file whole', () => {
    const sending = { step: 'send', key: 'a', url: 'a', unclear: false, resigned: false, tries: 2 } as const;
    const sign = afterSend(sending, { type: 'expired', error, continues: true }) as Transfer & { step: 'sign' };
    const signed = { type: 'signed', key: 'b', url: 'b' } as const;
    const same = afterSign(sign, { ...signed, continues: true });
    expect(same).toMatchObject({ step: 'send', resigned: false, isWhole: false });
    expect(afterSign(sign, signed)).toMatchObject({ step: 'send', resigned: true, isWhole: true });
    const later = { type: 'later', error } as const;
    expect(afterSend(sending, later)).toMatchObject({ tries: 3 });
    expect(afterSend(sending, { ...later, continues: true })).toMatchObject({ tries: 1 });
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
    expect(now).toMatchObject({ step: 'settle', key: 'a', unclear: true });
    expect(afterSettle(now as Transfer & { step: 'settle' }, { type: 'settled' })).toMatchObject({
      end: 'failed',
      error: damaged,
      unclear: false,
    });
  });

  describe('whose Url is dead after an unclear attempt', () => {
    const sending = { step: 'send', key: 'a', url: 'a', unclear: true, resigned: false, tries: 1 } as const;
    const settle = afterSend(sending, { type: 'refused', error }) as Transfer & { step: 'settle' };

    it('is sent under another Key, once, when the service has removed the first one', () => {
      expect(settle).toEqual({ step: 'settle', key: 'a', unclear: true, resigned: false, tries: 1, error });
      const sign = { step: 'sign', unclear: false, resigned: true, tries: 1, error };
      expect(afterSettle(settle, { type: 'settled' })).toEqual(sign);
      const second = afterSend({ ...sending, resigned: true }, { type: 'refused', error });
      expect(afterSettle(second as typeof settle, { type: 'settled' })).toEqual({
        step: 'end',
        end: 'failed',
        error,
        unclear: false,
      });
    });

    it('is uncertain when its Key cannot be removed, and keeps that Key', () => {
      const uncertain = { step: 'end', end: 'uncertain', error, unclear: true, key: 'a' };
      expect(afterSettle(settle, { type: 'refused', error })).toEqual(uncertain);
      let now: Transfer = { ...settle, tries: 0 };
      let removals = 0;
      for (; now.step === 'settle'; removals += 1) now = afterSettle(now, { type: 'later', error });
      expect(removals).toBe(STEP_RETRY.attempts);
      expect(now).toEqual(uncertain);
    });
  });
});

describe('the attempts of one run', () => {
  const sending = { step: 'send', key: 'a', url: 'u', unclear: false, resigned: false, tries: 0 } as const;

  it('are shared by all steps of a file', () => {
    let now = begin({ unclear: false });
    for (let failed = 1; failed < STEP_RETRY.attempts; failed += 1)
      now = afterSign(now as Transfer & { step: 'sign' }, { type: 'later', error });
    const signed = afterSign(now as Transfer & { step: 'sign' }, { type: 'signed', key: 'a', url: 'u' });
    expect(signed).toEqual({ ...sending, isWhole: false, tries: STEP_RETRY.attempts - 1 });
    expect(afterSend(signed as typeof sending, { type: 'later', error })).toEqual({
      step: 'end',
      end: 'failed',
      error,
      unclear: false,
    });
  });

  it('end with the Key and Url of an attempt that may have stored the file, for the retry to begin with', () => {
    const last = { ...sending, tries: STEP_RETRY.attempts - 1 };
    const kept = { step: 'end', end: 'failed', error, unclear: true, key: 'a', url: 'u' };
    expect(afterSend(last, { type: 'unclear', error })).toEqual(kept);
    expect(afterSend({ ...sending, unclear: true }, { type: 'unsendable', error })).toEqual(kept);
    expect(afterSend(sending, { type: 'unsendable', error })).toEqual({
      step: 'end',
      end: 'failed',
      error,
      unclear: false,
    });
  });

  it('are not used up by a refusal, which ends them at once', () => {
    const failed = { step: 'end', end: 'failed', error, unclear: false };
    expect(afterSign(begin({ unclear: false }) as Transfer & { step: 'sign' }, { type: 'refused', error })).toEqual(
      failed,
    );
    expect(afterSend(sending, { type: 'refused', error })).toEqual(failed);
  });

  it('begin with a removal where only a Key is known that may hold the file', () => {
    const settle = { step: 'settle', key: 'a', unclear: true, resigned: false, tries: 0 } as const;
    expect(begin({ key: 'a', unclear: true })).toEqual(settle);
    const sign = { step: 'sign', unclear: false, resigned: false, tries: 0 };
    expect(begin({ key: 'a', unclear: false })).toEqual(sign);
    expect(begin({ unclear: true })).toEqual(sign);
    expect(afterSettle(settle, { type: 'settled' })).toEqual({ ...sign, resigned: true });
  });

  it('to remove a replaced file are limited, start again from zero once the new file is listed, and end with the last error', () => {
    const looking = beginRemoval(false) as Exclude<Removal, { step: 'end' }>;
    let now: Removal = looking;
    let looks = 0;
    for (; now.step === 'look'; looks += 1) now = afterLook(now, { type: 'later', error });
    expect(looks).toBe(STEP_RETRY.attempts);
    expect(now).toEqual({ step: 'end', end: 'failed', error });
    expect(afterLook(looking, { type: 'refused', error })).toEqual(now);
    expect(afterLook({ ...looking, tries: 3, error }, { type: 'there' })).toEqual({ step: 'remove', tries: 0 });
  });

  it('to remove a replaced file begin without a look if the new one is certain, and end with the removal', () => {
    const removing = { step: 'remove', tries: 0 } as const;
    expect(beginRemoval(true)).toEqual(removing);
    expect(afterRemoval(removing, { type: 'settled' })).toEqual({ step: 'end', end: 'removed' });
    expect(afterLook({ step: 'look', tries: 0 }, { type: 'missing' })).toEqual({ step: 'end', end: 'kept' });
  });
});
