import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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

test.each(cases)('[AWI-R1] $file: $about: $agent, $url: $allowed', ({ robots, agent, url, allowed }) => {
  expect(robotsAllow(robots, agent, url), robots).toBe(allowed);
  expect(parseRobots(new TextEncoder().encode(robots)).allows(agent, url), 'as bytes').toBe(allowed);
});
