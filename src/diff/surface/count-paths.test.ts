import { expect, test } from 'vitest';
import { type SchemaNode, valueNode } from '../../codecs/api-description/description.ts';
import { createPathCounter } from './count-paths.ts';

/** A chain in which every type holds the next one twice: 2^length ways lead to its end. */
function chain(length: number, leaf: 'string' | 'number'): SchemaNode {
  let node: SchemaNode = valueNode({ token: leaf });
  for (let at = 0; at < length; at += 1) {
    const inside = node;
    node = valueNode({
      token: 'object',
      fields: () =>
        new Map([
          ['l', inside],
          ['r', inside],
        ]),
    });
  }
  return node;
}

test('each pair of types is looked into once, whoever asks, and however many ways lead to it', () => {
  let asked = 0;
  const isSame = () => {
    asked += 1;
    return false;
  };
  const count = createPathCounter(isSame, 3000);
  const [old, now] = [chain(20, 'string'), chain(20, 'number')];
  expect(count(old, now)).toBeGreaterThan(3000);
  expect(asked).toBeLessThanOrEqual(40);
  const before = asked;
  expect(count(old, now)).toBeGreaterThan(3000);
  expect(asked).toBe(before);
});

test('few paths are counted as they are', () => {
  expect(createPathCounter(() => false, 3000)(chain(3, 'string'), chain(3, 'number'))).toBe(15);
});
