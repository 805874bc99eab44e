import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { parseRobots, robotsAllow } from './robots.ts';

interface Case {
  readonly about: string;
  readonly robots: string;
  readonly agent: string;
  readonly url: string;
  readonly allowed: boolean;
}

const VECTORS = new URL('../../../specs/robots/vectors/', import.meta.url);
const files = readdirSync(VECTORS).filter((name) => name.endsWith('.json'));
const cases = files.flatMap((file) => {
  const { cases } = JSON.parse(readFileSync(new URL(file, VECTORS), 'utf8')) as { cases: Case[] };
  return cases.map((one) => ({ file, ...one }));
});

test('there are enough vectors, of both answers', () => {
  expect(files).toHaveLength(7);
  expect(cases.length).toBeGreaterThan(250);
  expect(cases.filter(({ allowed }) => allowed).length).toBeGreaterThan(80);
});

clause(['AWI-R1', 'AWI-R2'], 'every vector gets its answer, as text and as bytes', () => {
  for (const { file, about, robots, agent, url, allowed } of cases) {
    const said = `${file}: ${about}: ${agent}, ${url}\n${robots}`;
    expect(robotsAllow(robots, agent, url), said).toBe(allowed);
    expect(parseRobots(new TextEncoder().encode(robots)).allows(agent, url), `as bytes: ${said}`).toBe(allowed);
  }
});
