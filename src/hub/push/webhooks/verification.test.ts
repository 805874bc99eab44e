import { expect, test } from 'vitest';
import { type Received, webhookLab } from '../../../../test/support/webhook-lab.ts';

const DAY_MS = 86_400_000;
const challengeOf = ({ body }: Received) => (body?.type === 'subscription.verify' ? String(body.data.challenge) : '');

test('nothing else is sent until the endpoint sent the challenge back, which is asked for a few times', async () => {
  const lab = await webhookLab({ answer: (received, nth) => ({ body: nth < 3 ? 'no' : challengeOf(received) }) });
  const { id } = await lab.subscribe({ verify: true });
  lab.log.append('/a');
  await lab.time.pass(10_000);
  expect(lab.engine.find(id)?.standing).toMatchObject({
    status: 'pending',
    reason: expect.stringMatching(/challenge/),
  });
  await lab.time.pass(60_000);
  expect(lab.received.map(({ body }) => body.type)).toEqual([...Array(3).fill('subscription.verify'), 'change']);
  expect(new Set(lab.received.slice(0, 3).map(({ text, id: one }) => `${one} ${text}`)).size).toBe(1);
});

const NO_CONSENT: Readonly<Record<string, (received: Received) => string>> = {
  'all that it gets': ({ text }) => text,
  'the challenge with white space': (received) => `${challengeOf(received)}\n`,
  'the challenge in quotes': (received) => `"${challengeOf(received)}"`,
  nothing: () => '',
  'another text of the same length': (received) => 'x'.repeat(challengeOf(received).length),
  'the challenge and much more': (received) => challengeOf(received) + 'x'.repeat(100_000),
};

test.each(Object.entries(NO_CONSENT))('who answers with %s is no subscriber', async (_, body) => {
  const lab = await webhookLab({ answer: (received) => ({ body: body(received) }) });
  const { id } = await lab.subscribe({ verify: true });
  lab.log.append('/a');
  await lab.time.pass(DAY_MS);
  expect(lab.engine.find(id)?.standing.status).toBe('disabled');
  expect(lab.received.map(({ body: sent }) => sent.type)).toEqual(Array(5).fill('subscription.verify'));
});

test('the right body with the wrong status is no consent either', async () => {
  const lab = await webhookLab({ answer: (received) => ({ status: 302, body: challengeOf(received) }) });
  const { id } = await lab.subscribe({ verify: true });
  await lab.time.pass(DAY_MS);
  expect(lab.engine.find(id)?.standing.status).toBe('disabled');
});

test('a new address is asked anew, and who was not sure is asked anew when it is taken up again', async () => {
  const lab = await webhookLab({
    answer: (received) => ({ body: received.url.includes('mute') ? '' : challengeOf(received) }),
  });
  const { id } = await lab.subscribe({ verify: true });
  const latest = () => lab.engine.find(id) as NonNullable<ReturnType<typeof lab.engine.find>>;
  await lab.time.pass(1000);
  lab.subscriptions.change(latest(), { url: 'https://mute.example/' });
  lab.log.append('/a');
  await lab.time.pass(DAY_MS);
  expect(latest().standing.status).toBe('disabled');
  lab.subscriptions.change(latest(), { status: 'active' });
  expect(latest().standing.status).toBe('pending');
  lab.subscriptions.change(latest(), { url: 'https://hooks.example/b' });
  await lab.time.pass(1000);
  expect(lab.received.at(-1)).toMatchObject({ url: 'https://hooks.example/b', body: { type: 'change' } });
  expect(lab.events()).toHaveLength(1);
});
