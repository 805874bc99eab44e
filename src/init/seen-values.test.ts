import { expect, test } from 'vitest';
import { assignedValue, literalValue, yamlValue } from './seen-values.ts';

test.each([
  ['url: https://a.example/', 'https://a.example/'],
  ['url:   "https://a.example" # where it is', 'https://a.example'],
  ["url: 'https://a.example'\r", 'https://a.example'],
  ['  url: https://nested.example/', undefined],
  ['# url: https://a.example/', undefined],
  ['url: ""', undefined],
  ['url: a\nurl: b', undefined],
  ['curl: https://a.example/', undefined],
  [`url: ${' '.repeat(200_000)}"`, undefined],
])('of YAML, a value in one line at the margin counts: %j', (text, value) => {
  expect(yamlValue(text, 'url')).toBe(value);
});

test.each([
  ["baseURL = 'https://a.example/'", 'https://a.example/'],
  ['baseurl="https://a.example/" # where it is', 'https://a.example/'],
  ["title = 'x'\n[params]\nbaseURL = 'https://a.example/'", undefined],
  ["baseURL = os.environ['URL']", undefined],
  ["baseURL = 'a'\nbaseURL = 'b'", undefined],
])('of TOML and Python, a text that is assigned at the top counts: %j', (text, value) => {
  expect(assignedValue(text, 'baseURL')).toBe(value);
});

test.each([
  ["export default { site: 'https://a.example' }", 'https://a.example'],
  ['{ "site": "https://a.example" }', 'https://a.example'],
  ["// site: 'https://b.example'\nsite: `https://a.example`,", 'https://a.example'],
  ['site: `https://$' + '{host}/`', undefined],
  ['site: process.env.SITE', undefined],
  ["website: 'https://a.example'", undefined],
  ["a = { site: 'https://a.example' }; b = { site: 'https://b.example' }", undefined],
])('of JavaScript and JSON, a literal counts: %j', (text, value) => {
  expect(literalValue(text, 'site')).toBe(value);
});
