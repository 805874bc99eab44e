import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * A test that asserts how long something took fails on a busy machine, and one that sleeps either wastes time or has too
 * little of it. Growth is counted in steps (support/count-steps.ts), clocks are injected, conditions are waited for.
 */

const CLOCK = /\b(?:performance\.now|process\.cpuUsage|process\.hrtime(?:\.bigint)?)\(/;
const COMPARES = /\.(?:not\.)?to(?:BeLessThan|BeGreaterThan|BeCloseTo|BeWithin)\w*\(/;
const DECLARES = /\b(?:const|let|var)\s+(?:\{([^}]*)\}|\[([^\]]*)\]|(\w+))[^=;]*=\s*([^;]*);/g;

interface Finding {
  readonly line: number;
  readonly text: string;
}

/** Statements that compare what came from a clock, and sleeps. */
function timedAssertions(source: string): Finding[] {
  const timed = namesFromClocks(source);
  const found: Finding[] = [];
  for (const { text, at } of expectations(source)) {
    if (!COMPARES.test(text) && !/\btoBe\(true\)|\btoBe\(false\)/.test(text)) continue;
    const isTimed =
      CLOCK.test(text) || isSpan(text) || [...timed].some((name) => new RegExp(`\\b${name}\\b`).test(text));
    if (isTimed) found.push(findingAt(source, at));
  }
  for (const { index } of source.matchAll(/\bnew Promise(?:<\w+>)?\(\s*\(\w+\)\s*=>\s*\{?\s*(?:void )?setTimeout\(/g)) {
    found.push(findingAt(source, index));
  }
  for (const [, name] of source.matchAll(/setTimeout as (\w+)\b[^\n]*timers\/promises/g)) {
    for (const { index } of source.matchAll(new RegExp(`\\bawait ${name}\\(`, 'g')))
      found.push(findingAt(source, index));
  }
  return found;
}

/** A difference of two readings of the wall clock; a moment that is compared with another is none. */
function isSpan(text: string): boolean {
  return /Date\.now\(\)\s*-\s*(?:start|begun|began|since|before|from)/i.test(text);
}

/** Names that hold what a clock said, or what was made of it, over any number of steps. */
function namesFromClocks(source: string): Set<string> {
  const declared = [...source.matchAll(DECLARES)].map(([, members, elements, name, value = '']) => ({
    names: (members ?? elements ?? name ?? '').split(',').map((part) => part.split(/[:=]/).at(-1)?.trim() ?? ''),
    value,
  }));
  const timers = [...source.matchAll(/function (\w+)\([^)]*\)[^{]*\{([\s\S]*?)\n\}/g)]
    .filter(([, , body = '']) => CLOCK.test(body))
    .map(([, name = '']) => name);
  const timed = new Set(timers);
  for (let size = -1; size !== timed.size; ) {
    size = timed.size;
    for (const { names, value } of declared) {
      const isTimed =
        CLOCK.test(value) || isSpan(value) || [...timed].some((name) => new RegExp(`\\b${name}\\b`).test(value));
      // A function body is no value: what is declared in it is looked at by itself.
      if (isTimed && !value.includes('=>')) for (const each of names) if (each !== '') timed.add(each);
    }
  }
  return timed;
}

function expectations(source: string): { text: string; at: number }[] {
  return [...source.matchAll(/\bexpect\b[\s\S]*?;/g)].map((match) => ({ text: match[0], at: match.index }));
}

function findingAt(source: string, at: number): Finding {
  const line = source.slice(0, at).split('\n').length;
  return { line, text: source.split('\n')[line - 1]?.trim() ?? '' };
}

test.each([
  [
    'the wall',
    `const started = performance.now();\nawait run();\nexpect(performance.now() - started).toBeLessThan(500);`,
  ],
  [
    'a difference by name',
    `const began = performance.now();\nconst tookMs = performance.now() - began;\nexpect(tookMs).toBeGreaterThan(900);`,
  ],
  [
    'the processor',
    `const start = process.cpuUsage();\nconst { user, system } = process.cpuUsage(start);\nexpect((user + system) / 1000, 'CPU').toBeLessThan(2000);`,
  ],
  [
    'a helper',
    `function timeOf(run) {\n  const start = process.cpuUsage();\n  return process.cpuUsage(start).user;\n}\nexpect(timeOf(() => decode(xml))).toBeLessThan(1000);`,
  ],
  [
    'hrtime',
    `const started = process.hrtime.bigint();\nexpect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(1000);`,
  ],
  ['dates', `const startMs = Date.now();\nexpect(Date.now() - startMs).toBeLessThanOrEqual(100);`],
  ['a comparison inside', `const from = performance.now();\nexpect(performance.now() - from < 100).toBe(true);`],
  [
    'several lines',
    `const from = performance.now();\nexpect(\n  performance.now() - from,\n  'in time',\n).toBeLessThan(\n  100,\n);`,
  ],
  ['a sleep', `await new Promise((resolve) => setTimeout(resolve, 300));`],
  ['a sleep by name', `import { setTimeout as pause } from 'node:timers/promises';\nawait pause(25);`],
])('a planted assertion on %s is found', (_, source) => {
  expect(timedAssertions(`import { expect } from 'vitest';\n${source}\n`)).toHaveLength(1);
});

test.each([
  ['a moment', `expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());`],
  ['a pause that was asked for', `expect(waits[0]).toBeGreaterThan(1500);`],
  ['steps', `const steps = await countSteps(run);\nexpect(steps).toBeLessThan(6);`],
  ['a server that answers later', `setTimeout(() => socket.end(PAGE), 20);`],
])('%s is none', (_, source) => {
  expect(timedAssertions(source)).toEqual([]);
});

test('no test asserts how long something takes, and none sleeps', () => {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:test|contract)\.ts$/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(400);
  const found = files
    .filter((file) => file !== join('test', 'no-timed-assertions.test.ts'))
    .flatMap((file) => timedAssertions(readFileSync(file, 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`));
  expect(found).toEqual([]);
});
