import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeConfig } from './config-file.ts';

test('keys become the values of options', () => {
  const config = decodeConfig('{"$schema":"x","botUrl":"https://a.example/bot","cooldownMs":5000}');
  expect([...config]).toEqual([
    ['botUrl', 'https://a.example/bot'],
    ['cooldown', 5000],
  ]);
});

test('a byte order mark is no part of it', () => {
  expect([...decodeConfig('\uFEFF{"site":"x"}')]).toEqual([['site', 'x']]);
});

test.each([
  ['{"boturl":"x"}', /: boturl \(an unknown key\) is refused\. Known are site, botUrl/],
  ['{"__proto__":"x"}', /__proto__/],
  ['{"cooldownMs":"2s"}', /cooldownMs "2s".*whole number/],
  ['{"cooldownMs":-1}', /cooldownMs -1/],
  ['{"ca":""}', /ca ""/],
  ['[]', /one JSON object/],
  ['{', /not JSON/],
])('%s is refused by name', (text, message) => {
  expect(() => decodeConfig(text)).toThrow(message);
  expect(() => decodeConfig(text)).not.toThrow(/ {2}/);
});

test('the schema knows the same keys', () => {
  const { properties } = JSON.parse(readFileSync('schema/tidings.config.schema.json', 'utf8')) as {
    properties: Record<string, { type: string }>;
  };
  for (const [key, { type }] of Object.entries(properties)) {
    const value = type === 'integer' ? 1 : 'text';
    expect(() => decodeConfig(JSON.stringify({ [key]: value })), key).not.toThrow();
  }
  expect(Object.keys(properties)).toHaveLength(6);
});
