import { expect, test } from 'vitest';
import { FakeTime } from '../../../test/support/fake-time.ts';
import { DocumentLine } from './document-line.ts';

const OK = { status: 200, headers: {} };

/** A line of four places, two of a client, and who is served in it. */
function lab() {
  const time = new FakeTime(0);
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      time.alarm(ms, resolve);
      signal.addEventListener('abort', () => resolve());
    });
  const line = new DocumentLine({ atOnce: 4, ofClient: 2, inLine: 4, waitMs: 5000, wait });
  const said: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = async (name: string, client: string, signal = new AbortController().signal) => {
    const { status } = await line.run(client, { signal }, () => {
      said.push(`${name} begins`);
      return new Promise((resolve) => ends.set(name, () => resolve(OK)));
    });
    if (status !== 200) said.push(`${name}: ${status}`);
  };
  const news = () => said.splice(0).join(', ');
  return { time, ask, end: (name: string) => ends.get(name)?.(), news };
}

test('a client with many requests leaves places to others, and is served when one of its own is done', async () => {
  const { time, ask, end, news } = lab();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void ask(name, 'a');
  await time.pass(0);
  expect(news()).toBe('a1 begins, a2 begins, a5: 503');
  void ask('b1', 'b');
  void ask('c1', 'c');
  void ask('d1', 'd');
  await time.pass(0);
  expect(news()).toBe('b1 begins, c1 begins');
  end('b1');
  await time.pass(0);
  expect(news()).toBe('d1 begins');
  end('a1');
  await time.pass(0);
  expect(news()).toBe('a3 begins');
});

test('nobody waits for longer than the line allows, and no more wait than it holds', async () => {
  const { time, ask, news } = lab();
  for (const client of ['a', 'b', 'c', 'd']) void ask(client, client);
  await time.pass(0);
  for (const client of ['e', 'f', 'g', 'h', 'i']) void ask(client, client);
  await time.pass(0);
  expect(news()).toBe('a begins, b begins, c begins, d begins, i: 503');
  await time.pass(4999);
  expect(news()).toBe('');
  await time.pass(1);
  expect(news()).toBe('e: 503, f: 503, g: 503, h: 503');
});

test('a client that goes away leaves the line', async () => {
  const { time, ask, end, news } = lab();
  for (const client of ['a', 'b', 'c', 'd']) void ask(client, client);
  const gone = new AbortController();
  void ask('e', 'e', gone.signal);
  void ask('f', 'f');
  await time.pass(0);
  news();
  gone.abort();
  await time.pass(0);
  expect(news()).toBe('e: 503');
  end('a');
  await time.pass(0);
  expect(news()).toBe('f begins');
});
