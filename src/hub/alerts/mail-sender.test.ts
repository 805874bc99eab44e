import { expect, test } from 'vitest';
import { newAlertEvent } from '../../../test/support/alert-events.ts';
import type { AlertEvent } from './alert.ts';
import type { Mail } from './alert-mail.ts';
import { MailSender } from './mail-sender.ts';

const MINUTE = 60_000;

/** A sender over a log in memory, with a clock and alarms that go when told. */
function lab({ sentSeq }: { sentSeq?: number } = {}) {
  const events: AlertEvent[] = [];
  const mails: Mail[] = [];
  const kept: number[] = [];
  const turns: (string | undefined)[] = [];
  const state = { nowMs: 0, refusal: undefined as string | undefined };
  let due: { atMs: number; ring: () => void } | undefined;
  const log = {
    get newestSeq() {
      return events.length;
    },
    news: (after: number, limit: number) => events.slice(after, after + limit),
  };
  const sender = new MailSender({
    send: async (mail) => {
      if (state.refusal !== undefined) throw new Error(state.refusal);
      mails.push(mail);
    },
    log,
    sentSeq,
    keepSent: async (seq) => void kept.push(seq),
    intervalMs: 5 * MINUTE,
    baseUrl: () => 'https://hub.example/',
    now: () => state.nowMs,
    alarm: (ms, ring) => {
      due = { atMs: state.nowMs + ms, ring };
      return () => {
        due = undefined;
      };
    },
    onTurn: (error) => turns.push(error?.message),
  });
  return {
    sender,
    mails,
    kept,
    turns,
    state,
    happen(count: number, type: AlertEvent['type'] = 'alert.raised') {
      for (let at = 0; at < count; at++) events.push({ ...newAlertEvent({}, type), seq: events.length + 1 });
      sender.nudge();
    },
    /** Goes on to the next alarm; says when that was, in seconds. */
    async ring() {
      const next = due;
      due = undefined;
      if (next === undefined) return undefined;
      state.nowMs = next.atMs;
      next.ring();
      await new Promise((resolve) => setImmediate(resolve));
      return next.atMs / 1000;
    },
  };
}

test('the first alert is mailed at once, a storm is one mail an interval', async () => {
  const { sender, mails, kept, happen, ring } = lab();
  happen(1);
  expect(await ring()).toBe(2);
  expect(mails.map(({ subject }) => subject)).toEqual(['[Tidings hub.example] docs cannot be read.']);
  for (let storm = 0; storm < 100; storm++) happen(3);
  happen(5, 'alert.cleared');
  expect(await ring()).toBe(302);
  expect(mails.map(({ subject }) => subject)[1]).toBe('[Tidings hub.example] 300 alerts, 5 over');
  expect(mails[1]?.text).toContain('… and 255 more.');
  expect(await ring()).toBeUndefined();
  expect(kept).toEqual([0, 1, 306]);
  expect(sender.status).toMatchObject({ waiting: 0 });
});

test('what is not taken is tried again, ever later, with what came to it, and that is seen', async () => {
  const { sender, mails, turns, state, happen, ring } = lab();
  state.refusal = 'no';
  happen(1);
  const tries: (number | undefined)[] = [];
  for (let round = 0; round < 9; round++) tries.push(await ring());
  expect(tries.map((at, index) => (at ?? 0) - (tries[index - 1] ?? 0))).toEqual([
    ...[2, 60, 120, 240, 480, 960, 1920, 3600, 3600],
  ]);
  expect(sender.status).toMatchObject({ waiting: 1, failures: 9, error: 'no', failing_since: expect.any(String) });
  happen(2);
  state.refusal = undefined;
  await ring();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.subject).toContain('3 alerts');
  expect(turns).toEqual(['no', undefined]);
  expect(sender.status).toEqual({ waiting: 0, last_sent_at: expect.any(String) });
});

test('after a restart it goes on behind what was sent; one that begins tells nothing old', async () => {
  const again = lab({ sentSeq: 0 });
  again.happen(2);
  await again.ring();
  expect(again.mails).toHaveLength(1);
  const closed = lab();
  closed.happen(1);
  closed.sender.close();
  expect(await closed.ring()).toBeUndefined();
});
