import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { signatureOf, startFakeHub } from '../../../../test/support/fake-websub-hub.ts';
import { listenOnFreshPort } from '../../../../test/support/fresh-port.ts';
import { DAY, HOUR, MINUTE, SubscriberLab } from '../../../../test/support/subscriber-lab.ts';
import { createTestAuthority } from '../../../../test/support/test-ca.ts';
import { LogFullError } from '../../../errors/log-error.ts';

clause(
  ['WS-R1', 'WS-R2', 'WS-R4'],
  'a hub is asked by a form in UTF-8 with callback, mode, topic and a wish for a lease',
  async () => {
    const lab = await SubscriberLab.open();
    const self = `${lab.site.url}f%C3%A4d.xml`;
    lab.look({ hubs: { ...lab.named, self } });
    await lab.until(() => lab.hub.asked.length === 1);
    const [asked] = lab.hub.asked;
    expect(asked).toMatchObject({ method: 'POST', path: '/hub', contentType: 'application/x-www-form-urlencoded' });
    expect(asked?.body).toContain('f%25C3%25A4d.xml');
    expect(Object.fromEntries(asked?.form ?? [])).toMatchObject({
      'hub.mode': 'subscribe',
      'hub.topic': self,
      'hub.callback': expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/websub\/[0-9a-f]{64}$/),
      'hub.lease_seconds': '864000',
    });
  },
);

clause(
  ['WS-R14', 'WS-T2', 'WS-R7'],
  'callbacks and secrets are random, each their own, and secrets short enough',
  async () => {
    const lab = await SubscriberLab.open();
    lab.hub.leaseSeconds = '3600';
    await lab.subscribe();
    await lab.time.pass(50 * MINUTE);
    await lab.until(() => lab.hub.asked.filter(({ form }) => form.get('hub.mode') === 'subscribe').length === 2);
    const made = lab.hub.asked
      .filter(({ form }) => form.get('hub.mode') === 'subscribe')
      .flatMap(({ form }) => [form.get('hub.callback')?.split('/').at(-1), form.get('hub.secret')]);
    expect(new Set(made).size).toBe(4);
    for (const token of made) expect(token).toMatch(/^[0-9a-f]{64}$/);
    const guessed = `${lab.hub.asked[0]?.form.get('hub.callback')?.slice(0, -1)}x`;
    expect(await lab.hub.deliver(guessed, 'x')).toMatchObject({ status: 404 });
  },
);

clause('WS-R3', 'the topic is what the feed calls itself, whatever was asked for', async () => {
  const lab = await SubscriberLab.open();
  lab.look({ hubs: { ...lab.named, at: `${lab.site.url}feed` } });
  await lab.until(() => lab.hub.held.size === 1);
  expect([...lab.hub.held.values()][0]?.topic).toBe(lab.feed);
});

test('a feed that calls itself by another host is believed only if what stands there says so too', async () => {
  const lab = await SubscriberLab.open();
  const other = lab.feed.replace('127.0.0.1', 'localhost');
  lab.serve({ link: `<${lab.hub.url}>; rel=hub, <${lab.feed}>; rel=self` });
  lab.look({ hubs: { ...lab.named, self: other } });
  await lab.until(() => lab.view()?.state === 'failed');
  expect(lab.view()?.reason).toContain(other);
  expect(lab.hub.asked).toEqual([]);
  lab.serve({ link: `<${lab.hub.url}>; rel=hub, <${other}>; rel=self` });
  await lab.time.pass(DAY + HOUR);
  await lab.until(() => lab.hub.held.size === 1);
  expect([...lab.hub.held.values()][0]?.topic).toBe(other);
});

test('a feed that names a hub and not itself, or our own hub, is polled, and the reason is shown', async () => {
  const lab = await SubscriberLab.open();
  lab.look({ hubs: { at: lab.feed, hubs: [lab.hub.url] } });
  await lab.time.pass(HOUR);
  expect(lab.view()).toMatchObject({ state: 'failed', reason: 'The feed names a hub, and not itself.' });
  await lab.time.pass(HOUR);
  const callback = await lab.subscribe();
  lab.look({ hubs: { ...lab.named, hubs: [callback] } });
  await lab.time.pass(2 * HOUR);
  await lab.until(() => lab.view()?.reason === 'The hub that the feed names is this one.');
  expect(lab.hub.asked.filter(({ form }) => form.get('hub.mode') === 'subscribe')).toHaveLength(1);
});

test.each(['before', 'after'] as const)('the challenge may come %s the answer', async (verifies) => {
  const lab = await SubscriberLab.open();
  lab.hub.verifies = verifies;
  lab.look({ hubs: lab.named });
  await lab.until(() => lab.view()?.state === 'active' && lab.hub.held.size === 1);
});

test('a hub that says yes and never asks is pending for an hour, then failed, and asked again ever later', async () => {
  const lab = await SubscriberLab.open();
  lab.hub.verifies = 'never';
  lab.look({ hubs: lab.named });
  await lab.until(() => lab.hub.asked.length === 1);
  await lab.time.pass(59 * MINUTE);
  expect(lab.view()?.state).toBe('pending');
  await lab.time.pass(2 * MINUTE);
  expect(lab.view()).toMatchObject({ state: 'failed', reason: 'The hub has not confirmed it within an hour.' });
  const [first] = lab.hub.asked;
  const late = await lab.hub.ask(first?.form.get('hub.callback') ?? '', {
    'hub.mode': 'subscribe',
    'hub.topic': lab.feed,
    'hub.challenge': 'x',
  });
  expect(late.status, 'too late').toBe(404);
  lab.hub.verifies = 'after';
  await lab.time.pass(16 * MINUTE);
  await lab.until(() => lab.view()?.state === 'active');
});

clause('WS-R8', 'a secret goes over https only', async () => {
  const lab = await SubscriberLab.open({ allowPrivate: false });
  const callback = await lab.subscribe();
  expect(lab.hub.asked[0]?.form.has('hub.secret')).toBe(false);
  expect(await lab.hub.deliver(callback, 'unsigned')).toMatchObject({ status: 200 });
  expect(lab.watch.hastened).toEqual(['blog']);
});

clause(
  ['WS-T1', 'WS-T4'],
  'a hub that is named with http is asked over https where that works, and never over http again',
  async () => {
    const authority = createTestAuthority();
    const lab = await SubscriberLab.open({ allowPrivate: false, ca: authority.cert });
    await using secured = await startFakeHub(authority.issue('127.0.0.1'));
    secured.leaseSeconds = '3600';
    const named = { ...lab.named, hubs: [secured.url.replace('https:', 'http:')] };
    lab.serve({ link: `<${named.hubs[0]}>; rel=hub, <${lab.feed}>; rel=self` });
    lab.look({ hubs: named });
    await lab.until(() => secured.held.size === 1);
    expect(secured.asked[0]?.form.get('hub.secret')).toMatch(/^[0-9a-f]{64}$/);
    secured.answer = () => ({ status: 500 });
    await lab.time.pass(50 * MINUTE);
    await lab.until(() => lab.view()?.reason?.includes('500') ?? false);
  },
);

clause(
  'WS-A7',
  'a redirect of the hub is followed with the same form, and one that is for good is remembered',
  async () => {
    const lab = await SubscriberLab.open();
    await using other = await startFakeHub();
    other.leaseSeconds = '3600';
    lab.hub.answer = () => ({ status: 307, location: other.url });
    lab.look({ hubs: lab.named });
    await lab.until(() => other.held.size === 1);
    expect(other.asked.map(({ body }) => body)).toEqual(lab.hub.asked.map(({ body }) => body));
    lab.hub.answer = () => ({ status: 308, location: other.url });
    await lab.time.pass(50 * MINUTE);
    // The renewal, and the end of the one before.
    await lab.until(() => other.asked.length === 3 && other.held.size === 1);
    const asked = lab.hub.asked.length;
    await lab.time.pass(50 * MINUTE);
    await lab.until(() => other.asked.length === 5);
    expect(lab.hub.asked.length, '308').toBe(asked);
  },
);

test.each([301, 302])('a %i of a hub is followed as a POST, too', async (status) => {
  const lab = await SubscriberLab.open();
  await using other = await startFakeHub();
  lab.hub.answer = () => ({ status, location: other.url });
  lab.look({ hubs: lab.named });
  await lab.until(() => other.held.size === 1);
  expect(other.asked[0]?.body).toBe(lab.hub.asked[0]?.body);
});

test('redirects without an end, to plain http with a secret, and refusals end in a reason', async () => {
  const lab = await SubscriberLab.open();
  lab.hub.answer = () => ({ status: 307, location: lab.hub.url });
  lab.look({ hubs: lab.named });
  await lab.until(() => lab.view()?.state === 'failed');
  expect([lab.hub.asked.length, lab.view()?.reason]).toEqual([6, 'The hub redirects more than 5 times.']);
  lab.hub.answer = () => ({ status: 400, body: 'hub.topic\n is <b>unknown</b>' });
  await lab.time.pass(20 * MINUTE);
  await lab.until(() => lab.view()?.reason === 'The hub answered with status 400: hub.topic is <b>unknown</b>');
});

clause(['WS-V4', 'WS-V5'], 'only what is pending is agreed to, with the challenge and nothing else', async () => {
  const lab = await SubscriberLab.open();
  lab.hub.verifies = 'never';
  lab.look({ hubs: lab.named });
  await lab.until(() => lab.hub.asked.length === 1);
  const callback = lab.hub.asked[0]?.form.get('hub.callback') ?? '';
  const right = {
    'hub.mode': 'subscribe',
    'hub.topic': lab.feed,
    'hub.challenge': 'Abc_1.2~3-4',
    'hub.lease_seconds': '600',
  };
  for (const wrong of [
    { ...right, 'hub.topic': `${lab.feed}x` },
    { ...right, 'hub.mode': 'unsubscribe' },
    { ...right, 'hub.mode': 'Subscribe' },
    { ...right, 'hub.challenge': '<script>' },
    { ...right, 'hub.challenge': 'a'.repeat(257) },
    { ...right, 'hub.challenge': '' },
    { 'hub.mode': 'subscribe' },
  ]) {
    expect((await lab.hub.ask(callback, wrong)).status, JSON.stringify(wrong)).toBe(404);
  }
  expect(lab.view()?.state).toBe('pending');
  const { status, body, headers } = await lab.hub.ask(callback, right);
  expect([status, body]).toEqual([200, 'Abc_1.2~3-4']);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'");
  expect(lab.view()?.state).toBe('active');
  const until = lab.view()?.leaseUntil;
  expect((await lab.hub.ask(callback, { ...right, 'hub.lease_seconds': '99999999' })).status, 'asked again').toBe(200);
  expect(lab.view()?.leaseUntil, 'which changes nothing').toBe(until);
  expect((await lab.hub.ask(callback, { ...right, 'hub.mode': 'unsubscribe' })).status, 'forged').toBe(404);
  expect((await fetch(`${callback}?hub.mode=subscribe`, { method: 'HEAD' })).status).toBe(405);
});

clause(
  ['WS-V7', 'WS-R15', 'WS-P3'],
  'a lease is renewed in time under a new callback, from what the feed says then, and the old one is ended',
  async () => {
    const lab = await SubscriberLab.open();
    lab.hub.leaseSeconds = '600';
    const first = await lab.subscribe();
    await using next = await startFakeHub();
    const moved = `${lab.site.url}new.xml`;
    lab.site.put({
      '/feed.xml': { status: 301, headers: { location: moved } },
      '/new.xml': { status: 200, headers: { link: `<${next.url}>; rel=hub, <${moved}>; rel=self` } },
    });
    await lab.restart();
    await lab.time.pass(8 * MINUTE);
    await lab.until(() => next.held.size === 1 && lab.hub.held.size === 0);
    expect([...next.held.values()][0]).toMatchObject({ topic: moved });
    expect([...next.held.keys()]).not.toContain(first);
    const ended = lab.hub.asked.at(-1)?.form;
    expect([ended?.get('hub.mode'), ended?.get('hub.callback'), ended?.get('hub.topic')]).toEqual([
      'unsubscribe',
      first,
      lab.feed,
    ]);
    expect(await lab.hub.deliver(first, 'late')).toMatchObject({ status: 410 });
  },
);

test('while a renewal is not confirmed the old callback is heard, and after the lease it is over', async () => {
  const lab = await SubscriberLab.open();
  lab.hub.leaseSeconds = '86400';
  await lab.subscribe();
  lab.hub.verifies = 'never';
  await lab.time.pass(20 * HOUR);
  await lab.until(() => lab.hub.asked.length > 1);
  await lab.hub.publish(lab.feed);
  expect(lab.watch.hastened).toEqual(['blog']);
  expect(lab.view()?.state).toBe('active');
  await lab.time.pass(5 * HOUR);
  expect(lab.view()?.state).toBe('failed');
  expect((await lab.hub.publish(lab.feed)).map(({ status }) => status)).toEqual([410]);
});

test.each([undefined, 'abc', '0', '-5', '1e9'])('a lease of %s seconds counts as a day', async (seconds) => {
  const lab = await SubscriberLab.open();
  lab.hub.leaseSeconds = seconds;
  await lab.subscribe();
  expect(lab.view()?.leaseUntil).toBe('2026-03-02T11:59:00Z');
});

clause('WS-R5', 'a lease in the confirmation of an end counts for nothing', async () => {
  const lab = await SubscriberLab.open();
  const callback = await lab.subscribe();
  lab.hub.verifies = 'never';
  await lab.watch.pause('blog', 'for now');
  lab.subscriber.heard({ is: 'paused', source: lab.watch.source('blog') ?? never() });
  await lab.until(() => lab.hub.asked.length === 2);
  const end = { 'hub.mode': 'unsubscribe', 'hub.topic': lab.feed, 'hub.challenge': 'c', 'hub.lease_seconds': '99999' };
  expect((await lab.hub.ask(callback, end)).body).toBe('c');
  expect(lab.subscriber.subscriptionsOf('blog')).toMatchObject([{ state: 'gone' }]);
  expect(await lab.hub.deliver(callback, 'x')).toMatchObject({ status: 410 });
});

clause('WS-N3', 'who is denied is polled, and asks again after a day', async () => {
  const lab = await SubscriberLab.open();
  const callback = await lab.subscribe();
  const denied = await lab.hub.ask(callback, {
    'hub.mode': 'denied',
    'hub.topic': lab.feed,
    'hub.reason': 'no\u0007 more',
  });
  expect([denied.status, denied.body]).toEqual([200, '']);
  expect(lab.view()).toMatchObject({ state: 'denied', reason: 'The hub has denied it: no more' });
  expect(lab.look(), 'its own rhythm').toBe(1);
  await lab.time.pass(23 * HOUR);
  expect(lab.hub.asked).toHaveLength(1);
  await lab.time.pass(2 * HOUR);
  await lab.until(() => lab.view()?.state === 'active');
});

clause(
  ['WS-S5', 'WS-S6', 'WS-C7'],
  'only what is signed with the secret hastens a look; the answer says nothing of that',
  async () => {
    const lab = await SubscriberLab.open();
    const callback = await lab.subscribe();
    const secret = lab.hub.held.get(callback)?.secret ?? '';
    const body = '<feed>ä</feed>\n';
    for (const method of ['sha1', 'sha256', 'sha384', 'sha512']) {
      lab.watch.hastened.length = 0;
      const signature = signatureOf(method, secret, body);
      expect(await lab.hub.deliver(callback, body, { 'x-hub-signature': signature })).toEqual({
        status: 200,
        body: '',
      });
      expect(lab.watch.hastened, method).toEqual(['blog']);
      lab.look();
    }
    lab.watch.hastened.length = 0;
    const right = signatureOf('sha256', secret, body);
    const forged: readonly [string, Record<string, string>][] = [
      [`${body}x`, { 'x-hub-signature': right }],
      [body, {}],
      [body, { 'x-hub-signature': `md5=${'0'.repeat(32)}` }],
      [body, { 'x-hub-signature': right.replace('sha256', 'sha1') }],
      [body, { 'x-hub-signature': signatureOf('sha256', 'another', body) }],
    ];
    for (const [sent, headers] of forged) {
      expect(await lab.hub.deliver(callback, sent, headers)).toEqual({ status: 200, body: '' });
    }
    expect(lab.watch.hastened).toEqual([]);
    expect(lab.said().filter((word) => word === 'forged')).toHaveLength(5);
  },
);

clause(
  ['WS-C6', 'WS-S7', 'WS-C10'],
  'a delivery counts for its callback, whatever its headers say, and never leads elsewhere',
  async () => {
    const lab = await SubscriberLab.open();
    const callback = await lab.subscribe();
    const before = lab.view();
    const secret = lab.hub.held.get(callback)?.secret ?? '';
    const answer = await fetch(callback, {
      method: 'POST',
      body: 'x',
      redirect: 'manual',
      headers: {
        'x-hub-signature': signatureOf('sha256', secret, 'x'),
        link: '<https://evil.example/hub>; rel=hub, <https://other.example/feed>; rel=self',
        'content-type': 'application/x-evil',
      },
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(lab.watch.hastened).toEqual(['blog']);
    expect({ ...lab.view(), lastPush: undefined }).toEqual({ ...before, lastPush: undefined });
  },
);

clause(
  'WS-C8',
  'an answer does not wait for the look; what was told before a stop is looked at behind it',
  async () => {
    const lab = await SubscriberLab.open();
    await lab.subscribe();
    expect((await lab.hub.publish(lab.feed)).map(({ status }) => status)).toEqual([200]);
    lab.watch.hastened.length = 0;
    await lab.restart();
    expect(lab.watch.hastened).toEqual(['blog']);
    await lab.time.pass(MINUTE);
    lab.look({ changes: 1 });
    lab.watch.hastened.length = 0;
    await lab.restart();
    expect(lab.watch.hastened).toEqual([]);
  },
);

clause(
  'WS-C9',
  'a delivery to a subscription of a removed source is answered 410, one to a guessed path 404',
  async () => {
    const lab = await SubscriberLab.open();
    const callback = await lab.subscribe();
    const source = lab.watch.source('blog') ?? never();
    await lab.watch.remove('blog');
    lab.subscriber.heard({ is: 'removed', source });
    await lab.until(() => lab.hub.held.size === 0);
    expect(await lab.hub.deliver(callback, 'x')).toMatchObject({ status: 410 });
    expect(await lab.hub.deliver(`${callback}0`, 'x'.repeat(5_000_000))).toMatchObject({ status: 404 });
    const guess = () => lab.hub.ask(`${callback}0`, { 'hub.mode': 'subscribe' });
    for (let guesses = 0; guesses < 60; guesses += 1) expect((await guess()).status).toBe(404);
    expect((await guess()).status, 'and then not at all').toBe(429);
    lab.time.step(31 * DAY);
    await lab.restart();
    await lab.time.pass(MINUTE);
    expect([lab.subscriber.following('blog'), lab.subscriber.subscriptionsOf('blog')]).toEqual([undefined, []]);
  },
);

test('a hub that delivers is trusted, and one that misses news three times is not until it delivers again', async () => {
  const lab = await SubscriberLab.open();
  await lab.subscribe();
  const poll = async (changes: number) => {
    await lab.time.pass(HOUR);
    return lab.look({ changes });
  };
  expect(await poll(0), 'untried').toBe(1);
  const push = async (changes: number) => {
    await lab.time.pass(HOUR);
    await lab.hub.publish(lab.feed);
    return lab.look({ changes });
  };
  expect(await push(0), 'nothing was new').toBe(1);
  expect(await push(2)).toBe(6);
  expect([await poll(1), lab.view()?.misses]).toEqual([6, 1]);
  expect([await poll(1), lab.view()?.misses]).toEqual([6, 2]);
  expect([await poll(1), lab.view()?.misses]).toEqual([1, 3]);
  expect(lab.view()).toMatchObject({ state: 'active', trusted: false });
  expect(lab.said().filter((word) => word === 'silent')).toHaveLength(1);
  await lab.restart();
  expect(lab.view()).toMatchObject({ misses: 3, trusted: false });
  expect([await push(1), lab.view()?.misses]).toEqual([6, 0]);
});

test('a push that comes minutes behind the poll was only slow', async () => {
  const lab = await SubscriberLab.open();
  await lab.subscribe();
  await lab.time.pass(HOUR);
  lab.look({ changes: 1 });
  expect(lab.view()).toMatchObject({ misses: 1, trusted: false });
  await lab.time.pass(2 * MINUTE);
  await lab.hub.publish(lab.feed);
  expect(lab.view()).toMatchObject({ misses: 0, trusted: true });
});

test('what is new in the look in which a subscription began is no miss', async () => {
  const lab = await SubscriberLab.open();
  await lab.subscribe();
  expect(lab.view()?.misses).toBe(0);
});

test('another hub has to earn its trust, and the feed that names it gets it before the old one ends', async () => {
  const lab = await SubscriberLab.open();
  await lab.subscribe();
  await lab.time.pass(HOUR);
  await lab.hub.publish(lab.feed);
  expect(lab.look({ changes: 1 })).toBe(6);
  await using next = await startFakeHub();
  lab.look({ hubs: { ...lab.named, hubs: [next.url] } });
  await lab.until(() => next.held.size === 1 && lab.hub.held.size === 0);
  expect(lab.view()).toMatchObject({ hub: next.url, state: 'active', trusted: false });
  lab.look({ hubs: { at: lab.feed, hubs: [] } });
  await lab.until(() => next.held.size === 0);
  expect(lab.view()).toBeUndefined();
});

test('a feed that names other hubs at every look does not make us ask them all', async () => {
  const lab = await SubscriberLab.open();
  await lab.subscribe();
  for (let port = 1; port < 20; port += 1) {
    lab.look({ hubs: { ...lab.named, hubs: [`${lab.hub.url}?${port}`] } });
    await lab.time.pass(MINUTE);
  }
  await lab.time.pass(10 * MINUTE);
  expect(lab.hub.asked.length).toBeLessThanOrEqual(3);
});

test('of several hubs the next one is asked where one fails', async () => {
  const lab = await SubscriberLab.open();
  await using next = await startFakeHub();
  lab.hub.answer = () => ({ status: 503 });
  lab.look({ hubs: { ...lab.named, hubs: [lab.hub.url, next.url] } });
  await lab.until(() => lab.view()?.state === 'failed');
  await lab.time.pass(20 * MINUTE);
  await lab.until(() => lab.view()?.state === 'active');
  expect(lab.view()?.hub).toBe(next.url);
});

test('where it is switched off, what there is is ended and nothing is asked for', async () => {
  const lab = await SubscriberLab.open({ isOn: false });
  lab.look({ hubs: lab.named });
  await lab.time.pass(DAY);
  expect([lab.hub.asked, lab.view()]).toEqual([[], undefined]);
});

test('a disk that takes nothing is said to the hub, which tells again; what is not on disk does not count', async () => {
  const lab = await SubscriberLab.open();
  lab.hub.leaseSeconds = '3600';
  await lab.subscribe();
  lab.refusal = new LogFullError('/data/hub.db', new Error('no space'));
  expect((await lab.hub.publish(lab.feed)).map(({ status }) => status)).toEqual([503]);
  expect([lab.watch.hastened, lab.view()?.lastPush]).toEqual([[], undefined]);
  await lab.time.pass(50 * MINUTE);
  lab.refusal = undefined;
  await lab.time.pass(2 * MINUTE);
  await lab.until(() => lab.hub.asked.length >= 2 && lab.view()?.state === 'active');
  expect(lab.said()).not.toContain('bug');
});

test('a hub that hangs holds up neither the end nor the other hubs', async () => {
  const lab = await SubscriberLab.open();
  const hanging = createServer(() => {});
  const port = await listenOnFreshPort(hanging);
  onTestFinished(() => void hanging.close());
  onTestFinished(() => hanging.closeAllConnections());
  const connected = once(hanging, 'request');
  lab.look({ hubs: { ...lab.named, hubs: [`http://127.0.0.1:${port}/`] } });
  await lab.time.pass(0);
  await connected;
  expect(lab.subscriber.counts().pending).toBe(1);
  await lab.subscriber.close();
  expect(lab.said()).toEqual([]);
});

function never(): never {
  throw new Error('The source is gone.');
}

test('where private addresses may be reached, a source of somebody else leads to no hub', async () => {
  const lab = await SubscriberLab.open();
  const source = lab.watch.source('blog');
  if (source === undefined) throw new Error('The source is gone.');
  lab.watch.byId.set('blog', { ...source, owner: 'somebody' });
  lab.serve({ link: `<${lab.hub.url}>; rel=hub, <${lab.feed}>; rel=self` });
  lab.look({ changes: 1, hubs: lab.named });
  await lab.time.pass(HOUR);
  expect([lab.hub.asked.length, lab.view()]).toEqual([0, undefined]);
});
