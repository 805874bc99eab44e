import { describe, expect, test } from 'vitest';
import { indexShape, parentsOf, plainPath, readShape, type Shape, shapeOf, tokensAt } from './shape.ts';

describe('the shape of a response', () => {
  test('has the type of each value by its pointer', () => {
    const response = { a: 'x', n: 1, t: true, z: null, o: { p: [] }, l: [{ q: 2 }, 'y'] };
    expect(Object.fromEntries(shapeOf(response))).toEqual({
      '': 'object',
      '/a': 'string',
      '/n': 'number',
      '/t': 'boolean',
      '/z': 'null',
      '/o': 'object',
      '/o/p': 'array',
      '/l': 'array',
      '/l/0': 'object',
      '/l/0/q': 'number',
      '/l/1': 'string',
    });
  });

  test('escapes what a pointer escapes, and knows no special names', () => {
    const response: unknown = JSON.parse('{"a/b":{"m~n":1},"":2,"__proto__":{"x":3}}');
    const paths = ['', '/a~1b', '/a~1b/m~0n', '/', '/__proto__', '/__proto__/x'];
    expect(new Set(shapeOf(response).keys())).toEqual(new Set(paths));
  });

  test.each([
    ['text', 'string'],
    [null, 'null'],
    [[], 'array'],
    [4, 'number'],
  ])('of %j is one type', (response, token) => {
    expect(Object.fromEntries(shapeOf(response))).toEqual({ '': token });
  });

  test('is bounded in depth and in number', () => {
    let deep: unknown = 1;
    for (let n = 0; n < 10_000; n += 1) deep = { d: deep };
    expect(shapeOf(deep).size).toBe(65);
    const wide = shapeOf({ list: Array.from({ length: 300_000 }, (_, n) => n), last: 'x' });
    expect(wide.size).toBe(100_000);
    expect(wide.get('/last')).toBe('string');
    const circle: Record<string, unknown> = {};
    circle.a = circle;
    circle.b = circle;
    expect(shapeOf(circle).size).toBe(100_000);
  });
});

describe('a shape that is written down', () => {
  test('is taken as it is', () => {
    expect(readShape({ '': 'object', '/a': 'string', '/b': 'null' })?.get('/b')).toBe('null');
  });

  test('may name the leaves alone', () => {
    expect(Object.fromEntries(readShape({ '/order/items/0/x': 'string', '/order': 'object' }) ?? [])).toEqual({
      '': 'object',
      '/order': 'object',
      '/order/items': 'array',
      '/order/items/0': 'object',
      '/order/items/0/x': 'string',
    });
  });

  test('may say that a value was null at times', () => {
    expect(readShape({ '/a': 'nullable<string>' })?.get('/a')).toBe('string');
    expect(readShape({ '/a': 'nullable<integer>' })?.get('/a')).toBe('number');
  });

  test.each([
    [{}],
    [[]],
    [null],
    ['x'],
    [{ a: 'string' }],
    [{ '/a': 'decimal' }],
    [{ '/a': 1 }],
    [{ '/a': ['string'] }],
    [{ '/a': 'string', b: 'string' }],
  ])('is not what %j is', (value) => {
    expect(readShape(value)).toBeUndefined();
  });
});

describe('a pointer into a shape', () => {
  const shape = shapeOf({
    items: [{ x: null }, { x: 1, y: 'a' }],
    empty: [],
    none: null,
    byId: { '0': { x: 'a' }, '7': { x: 'b' } },
    nested: [{ list: [] }, { list: [{ z: true }] }],
  });

  test.each(['/items/0/x', '/items/9/x', '/items/-/x', '/items/*/x'])('%s means any element', (pointer) => {
    expect(findPath(shape, pointer)).toBe('number');
  });

  test.each([
    ['/items/0/y', 'string'],
    ['/items/0', 'object'],
    ['/items/x', 'absent'],
    ['/items/0/q', 'absent'],
    ['/nested/*/list/*/z', 'boolean'],
    ['/nested/*/list/*/q', 'absent'],
    ['/empty', 'array'],
    ['/empty/0', 'unknowable'],
    ['/empty/*/x/y', 'unknowable'],
    ['/empty/x', 'unknowable'],
    ['/none', 'null'],
    ['/none/x', 'absent'],
    ['/byId/0/x', 'string'],
    ['/byId/1/x', 'absent'],
    ['/nothing', 'absent'],
    ['', 'object'],
    ['items', 'unknowable'],
    ['#/items', 'unknowable'],
  ])('%s finds %s', (pointer, token) => {
    expect(findPath(shape, pointer)).toBe(token);
  });

  test('reaches into a response that is an array itself', () => {
    expect(findPath(shapeOf([{ x: 1 }]), '/0/x')).toBe('number');
    expect(findPath(shapeOf([{ x: 1 }]), '/-/y')).toBe('absent');
    expect(findPath(shapeOf([]), '/0/x')).toBe('unknowable');
    expect(findPath(shapeOf({ '0': 'a' }), '/1')).toBe('absent');
  });

  test('behind a limit finds nothing out', () => {
    const wide = shapeOf(Array.from({ length: 100_001 }, () => ({ a: 1 })));
    expect(findPath(wide, '/*/a')).toBe('number');
    expect(findPath(wide, '/*/b')).toBe('unknowable');
    expect(findPath(shapeOf({}), '/d'.repeat(65))).toBe('unknowable');
    expect(findPath(shapeOf({}), '/d'.repeat(64))).toBe('absent');
  });
});

test('elements have one plain path, and a path has its parents', () => {
  expect(plainPath('/items/0/x/12')).toBe('/items/*/x/*');
  expect(plainPath('/items/-/v1/*')).toBe('/items/*/v1/*');
  expect(parentsOf('/a/b/c')).toEqual(['/a/b', '/a']);
  expect(parentsOf('/a')).toEqual([]);
  expect(parentsOf('')).toEqual([]);
});

/** The token at a pointer. A value says more about the type of a field than the lack of one. */
function findPath(shape: Shape, pointer: string): string {
  const found = tokensAt(indexShape(shape), pointer);
  if (typeof found === 'string') return found;
  return found.find((token) => token !== 'null') ?? 'null';
}
