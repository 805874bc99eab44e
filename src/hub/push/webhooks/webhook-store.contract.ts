import { expect, test } from 'vitest';
import type { DeadLetter, DeliveryAttempt, Subscription, SubscriptionStanding } from './subscription.ts';
import { KEPT_ATTEMPTS, KEPT_DEAD_LETTERS, type WebhookStore } from './webhook-store.ts';

/** One place where a store can live. What `use` wrote there is found by the next one. */
export interface WebhookStorePlace extends AsyncDisposable {
  use<T>(work: (store: WebhookStore) => T | Promise<T>): Promise<T>;
}

const NOON = Date.parse('2026-03-01T12:00:00Z');

const STANDING: SubscriptionStanding = {
  status: 'pending',
  challenge: { text: 'c', atMs: NOON, attempts: 0, dueMs: NOON },
  cursor: { seq: 0, epoch: '' },
  deadInRow: 0,
};

const FULL: Subscription = {
  id: 'sub_b',
  url: 'https://hooks.example/a?b=%00',
  topic: 'changes',
  filter: { path: ['/guide/**'], action: ['update'] },
  form: 'tidings',
  batch: { max: 10, waitMs: 500 },
  owner: { kind: 'key', hash: '0'.repeat(64) },
  label: 'A\u0000"',
  verify: true,
  createdMs: NOON,
  secrets: [{ secret: 'whsec_new' }, { secret: 'whsec_old', untilMs: NOON }],
  standing: STANDING,
};

function another(id: string): Subscription {
  return { ...FULL, id, owner: { kind: 'admin' } };
}

function attempt(subscription: string, number: number): DeliveryAttempt {
  return {
    subscription,
    delivery: `msg_${number}`,
    type: 'change',
    attempt: 1,
    atMs: NOON + number,
    tookMs: 1.5,
    outcome: 'failed',
    status: 500,
    answer: '<b>\u0000',
    error: { code: 'StatusError', message: 'It answered 500.' },
    from: 'a',
    to: 'a',
    seqs: [number],
  };
}

function letter(subscription: string, number: number): DeadLetter {
  const delivery = `msg_${number}`;
  return {
    subscription,
    delivery,
    seqs: [number],
    from: 'a',
    to: 'a',
    atMs: NOON,
    attempts: 11,
    reason: 'It answered 500.',
  };
}

/** What every `WebhookStore` promises. `makePlace` gives a new, empty place each time. */
export function describeWebhookStore(name: string, makePlace: () => Promise<WebhookStorePlace>): void {
  test(`${name}: what is put is there again, in order of creation`, async () => {
    await using place = await makePlace();
    expect(await place.use((store) => store.subscriptions())).toEqual([]);
    await place.use((store) => store.write({ put: [FULL, another('sub_a')] }));
    await place.use((store) => store.write({ put: [{ ...FULL, url: 'https://hooks.example/b' }] }));
    const found = await place.use((store) => store.subscriptions());
    expect(found).toEqual([{ ...FULL, url: 'https://hooks.example/b' }, another('sub_a')]);
  });

  test(`${name}: a standing is written without the rest, and not for one that was removed`, async () => {
    await using place = await makePlace();
    const standing: SubscriptionStanding = {
      status: 'failing',
      reason: 'It answered 500.',
      cursor: { seq: 3, id: 'c', epoch: 'e' },
      replay: { afterSeq: 0, toSeq: 3 },
      again: [{ id: 'msg_0', seqs: [2] }],
      delivery: { id: 'msg_1', origin: 'log', seqs: [1, 3], attempts: 2, sinceMs: NOON, dueMs: NOON + 5 },
      failingSinceMs: NOON,
      deadInRow: 1,
      takenMs: NOON,
    };
    await place.use((store) => store.write({ put: [FULL] }));
    await place.use((store) =>
      store.write({
        standings: [
          { id: 'sub_b', standing },
          { id: 'sub_x', standing },
        ],
      }),
    );
    expect(await place.use((store) => store.subscriptions())).toEqual([{ ...FULL, standing }]);
  });

  test(`${name}: of each subscription the newest attempts are kept`, async () => {
    await using place = await makePlace();
    await place.use(async (store) => {
      await store.write({ put: [FULL, another('sub_a')] });
      const many = Array.from({ length: KEPT_ATTEMPTS + 3 }, (_, at) => attempt('sub_b', at));
      await store.write({ attempts: [...many, attempt('sub_a', 7), attempt('sub_x', 8)] });
    });
    const [many, one, none] = await place.use((store) => ['sub_b', 'sub_a', 'sub_x'].map((id) => store.attempts(id)));
    expect(many).toHaveLength(KEPT_ATTEMPTS);
    expect([many?.at(0), many?.at(-1)]).toEqual([attempt('sub_b', KEPT_ATTEMPTS + 2), attempt('sub_b', 3)]);
    expect([one, none]).toEqual([[attempt('sub_a', 7)], []]);
  });

  test(`${name}: dead letters are kept up to a bound, and settled one by one`, async () => {
    await using place = await makePlace();
    await place.use(async (store) => {
      await store.write({ put: [FULL] });
      const many = Array.from({ length: KEPT_DEAD_LETTERS + 2 }, (_, at) => letter('sub_b', at));
      await store.write({ dead: many });
      await store.write({ settled: [{ subscription: 'sub_b', delivery: 'msg_2' }] });
    });
    const letters = await place.use((store) => store.deadLetters('sub_b'));
    expect(letters).toHaveLength(KEPT_DEAD_LETTERS - 1);
    expect(letters[0]).toEqual(letter('sub_b', 3));
  });

  test(`${name}: who is removed leaves nothing behind, also for one that comes with the same id`, async () => {
    await using place = await makePlace();
    const found = await place.use(async (store) => {
      await store.write({ put: [FULL], attempts: [attempt('sub_b', 1)], dead: [letter('sub_b', 1)] });
      await store.write({ remove: ['sub_b'] });
      await store.write({ put: [FULL] });
      return [store.attempts('sub_b'), store.deadLetters('sub_b'), store.subscriptions()];
    });
    expect(found).toEqual([[], [], [FULL]]);
  });
}
