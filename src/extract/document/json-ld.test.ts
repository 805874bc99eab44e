import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { readPageDocument } from './read-page.ts';

const blockOf = (json: string, type = 'application/ld+json') => `<script type="${type}">${json}</script>`;
const read = (...blocks: string[]) => {
  const { structure, signals } = readPageDocument(`<head>${blocks.join('')}</head><p>x</p>`, 'https://example.com/a');
  expect(signals.has_json_ld).toBe(structure.structured_data !== undefined);
  return structure.structured_data;
};

const A = { '@context': 'https://schema.org', '@type': 'Article', '@id': '#a' };
const B = { '@context': 'https://schema.org', '@type': 'Person', name: 'Kim' };

clause(['AWI-ST8', 'AWI-SG3'], 'one object stays as it is', () => {
  const graph = { '@context': 'https://schema.org', '@graph': [{ '@type': 'Article' }, { '@type': 'Person' }] };
  expect(read(blockOf(JSON.stringify(A)))).toEqual(A);
  expect(read(blockOf(JSON.stringify(graph)))).toEqual(graph);
  expect(read(blockOf('{}'))).toEqual({});
});

clause('AWI-ST8', 'several blocks and arrays become one graph without loss', () => {
  const expected = {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'Article', '@id': '#a' },
      { '@type': 'Person', name: 'Kim' },
    ],
  };
  expect(read(blockOf(JSON.stringify(A)), blockOf(JSON.stringify(B)))).toEqual(expected);
  expect(read(blockOf(JSON.stringify([A, B])))).toEqual(expected);
  const graph = { '@context': 'https://schema.org', '@graph': [{ '@type': 'Person', name: 'Kim' }] };
  expect(read(blockOf(JSON.stringify(A)), blockOf(JSON.stringify(graph)))).toEqual(expected);
});

clause('AWI-ST8', 'nodes of different contexts keep their own, and a named graph stays one node', () => {
  const other = { '@context': 'https://other.example', '@graph': [{ '@type': 'Thing' }] };
  const named = { '@id': '#g', '@graph': [{ '@type': 'Thing' }] };
  expect(read(blockOf(JSON.stringify(A)), blockOf(JSON.stringify(other)))).toEqual({
    '@graph': [A, { '@context': 'https://other.example', '@type': 'Thing' }],
  });
  expect(read(blockOf(JSON.stringify(A)), blockOf(JSON.stringify(named)))).toEqual({ '@graph': [A, named] });
});

clause('AWI-ST8', 'a graph that only holds nodes is dissolved, whatever its context, and they keep it', () => {
  const graph = {
    '@context': 'http://schema.org/',
    '@graph': [{ '@type': 'WebSite' }, { '@context': { x: 'https://x.example/' }, '@type': 'WebPage' }, 'text'],
  };
  const single = { '@context': 'http://schema.org/', '@graph': { '@type': 'Person' } };
  expect(read(blockOf(JSON.stringify([A, { '@type': 'Thing' }])), blockOf(JSON.stringify(graph)))).toEqual({
    '@graph': [
      A,
      { '@type': 'Thing' },
      { '@context': 'http://schema.org/', '@type': 'WebSite' },
      { '@context': ['http://schema.org/', { x: 'https://x.example/' }], '@type': 'WebPage' },
    ],
  });
  expect(read(blockOf(JSON.stringify([A, single])))).toEqual({
    '@graph': [A, { '@context': 'http://schema.org/', '@type': 'Person' }],
  });
});

test('a context is not copied without measure', () => {
  const graph = { '@context': { x: 'x'.repeat(1000) }, '@graph': Array.from({ length: 10_000 }, () => ({})) };
  const data = read(blockOf(JSON.stringify(A)), blockOf(JSON.stringify(graph)));
  expect(data).toEqual({ '@graph': [A, graph] });
});

clause('AWI-SG3', 'a block counts whatever the case of its type and the comment round it', () => {
  for (const [type, json] of [
    ['APPLICATION/LD+JSON; charset=utf-8', '{"a":1}'],
    [' application/ld+json ', '<!-- {"a":1} -->'],
    ['application/ld+json', '//<![CDATA[\n{"a":1}\n//]]>'],
    ['application/ld+json', '/*<![CDATA[*/{"a":1}/*]]>*/'],
  ] as [string, string][]) {
    expect(read(blockOf(json, type))).toEqual({ a: 1 });
  }
});

clause(['AWI-SG3', 'AWI-ST8'], 'a block of another type or without data does not count', () => {
  for (const [type, json] of [
    ['application/json', '{"a":1}'],
    ['application/ld+jsonx', '{"a":1}'],
    ['application/ld+json', '{"a":1'],
    ['application/ld+json', ''],
    ['application/ld+json', '[]'],
    ['application/ld+json', '"a"'],
    ['application/ld+json', 'null'],
  ] as [string, string][]) {
    expect(read(blockOf(json, type))).toBeUndefined();
  }
});

clause('AWI-ST8', 'a broken block hides no other, and markup inside strings is text', () => {
  expect(read(blockOf('{"a":'), blockOf('{"a":"<b>&amp;</b>"}'))).toEqual({ a: '<b>&amp;</b>' });
});

test('blocks in comments, templates and noscript are not declared', () => {
  const block = blockOf('{"a":1}');
  expect(read(`<!-- ${block} -->`, `<template>${block}</template>`, `<noscript>${block}</noscript>`)).toBeUndefined();
});

test('a __proto__ key is left out', () => {
  const data = read(blockOf('{"a":{"__proto__":{"polluted":1},"b":2},"__proto__":{"polluted":1}}'));
  expect(data).toEqual({ a: { b: 2 } });
  expect(Reflect.get(data ?? {}, 'polluted')).toBeUndefined();
});

clause('AWI-ST8', 'what stands behind or between the data of a block does not hide it', () => {
  expect(read(blockOf('{"a":1};'))).toEqual({ a: 1 });
  expect(read(blockOf('{"a":1} // the end'))).toEqual({ a: 1 });
  expect(read(blockOf('{"a":"x}{"},{"b":[2]}'))).toEqual({ '@graph': [{ a: 'x}{' }, { b: [2] }] });
  expect(read(blockOf('{"a":"one\ntwo\tthree"}'))).toEqual({ a: 'one two three' });
  expect(read(blockOf('var x = {"a":1}'))).toBeUndefined();
  expect(read(blockOf('}{"a":1}'))).toBeUndefined();
});

clause('AWI-ST8', 'the last of two equal keys counts, and what is too deep is left out', () => {
  expect(read(blockOf('{"a":1,"a":2,"constructor":{"prototype":{"x":1}}}'))).toEqual({
    a: 2,
    constructor: { prototype: { x: 1 } },
  });
  expect(read(blockOf(`${'['.repeat(100)}{"a":1}${']'.repeat(100)}`), blockOf('{"b":1}'))).toEqual({ b: 1 });
});
