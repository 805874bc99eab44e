import { expect, test } from 'vitest';
import { mergeStreams } from './merge-streams.ts';

test('a stream goes on only when its value was taken; none waits for another', async () => {
  const steps: string[] = [];
  async function* stream(name: string) {
    for (const count of [1, 2]) {
      yield `${name}${count}`;
      steps.push(`${name}${count} taken`);
    }
  }
  const merged = mergeStreams([stream('a'), stream('b')], new AbortController());
  const values: unknown[] = [];
  for (let count = 0; count < 3; count += 1) values.push((await merged.next()).value);
  expect(values).toEqual(['a1', 'b1', 'a2']);
  expect(steps).toEqual(['a1 taken', 'b1 taken']);
  await merged.return();
  expect(steps).toEqual(['a1 taken', 'b1 taken']);
});

test('the failure of one stream ends the others and is thrown', async () => {
  const stopping = new AbortController();
  async function* failing() {
    yield 'last words';
    throw new Error('disk full');
  }
  const merged = mergeStreams([failing(), waiting(stopping.signal)], stopping);
  expect((await merged.next()).value).toBe('last words');
  await expect(merged.next()).rejects.toThrow('disk full');
  expect(stopping.signal.aborted).toBe(true);
});

test('who breaks off is told when a stream could not save what it holds', async () => {
  async function* unsaved() {
    try {
      yield 'value';
    } finally {
      await Promise.reject(new Error('disk full'));
    }
  }
  const stopping = new AbortController();
  const merged = mergeStreams([unsaved(), waiting(stopping.signal)], stopping);
  await merged.next();
  await expect(merged.return()).rejects.toThrow('disk full');
});

async function* waiting(signal: AbortSignal): AsyncGenerator<string, void> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  if (!signal.aborted) yield 'too early';
}
