import { expect, test } from 'vitest';
import { MAX_FUNCTION_LINES, measureSource, readSource } from '../scripts/measure-source.mjs';

const source = measureSource(readSource('.'));

test('an exported name is defined in one file', () => {
  expect(source.files, 'the scan is empty').toBeGreaterThan(500);
  expect(source.doubled.map(({ name, paths }) => `${name}: ${paths.join(' ')}`)).toEqual([]);
});

test('a function fits on a screen', () => {
  expect(source.long.map(({ path, line, name, lines }) => `${path}:${line} ${name}: ${lines} lines`)).toEqual([]);
});

test('a function takes few parameters', () => {
  expect(source.wide.map(({ path, line, name, parameters }) => `${path}:${line} ${name}: ${parameters}`)).toEqual([]);
});

test.each([
  ['two functions', 'export function read() {}', 'export function read() {}'],
  ['a value and a type', 'export const read = 1;', 'export type read = 1;'],
  ['a class and an interface', 'export class read {}', 'export interface read {}'],
  ['an export apart from its definition', 'function read() {}\nexport { read };', 'export let read = 1;'],
])('planted: %s of one name are caught', (_, one, two) => {
  expect(measure({ 'a.ts': one, 'b.ts': two }).doubled).toEqual([{ name: 'read', paths: ['a.ts', 'b.ts'] }]);
});

test.each([
  ['handed on', `export { read } from './a.ts';`],
  ['imported and handed on', `import { read } from './a.ts';\nexport { read };`],
  ['not exported', 'const read = 1;\nexport const other = read;'],
])('a name that is %s is no second definition', (_, two) => {
  expect(measure({ 'a.ts': 'export function read() {}', 'b.ts': two }).doubled).toEqual([]);
});

const body = 'x();\n'.repeat(MAX_FUNCTION_LINES - 1);

test.each([
  ['read', `function read() {\n${body}}`],
  ['read', `const read = async () => {\n${body}};`],
  ['read', `class Store {\n  #read() {\n${body}}\n}`],
  ['read', `const store = { async *read() {\n${body}} };`],
])('planted: a long %s is caught: %#', (name, text) => {
  expect(measure({ 'a.ts': text }).long).toMatchObject([{ name, lines: MAX_FUNCTION_LINES + 1 }]);
  expect(measure({ 'a.ts': text.replace('x();\n', '') }).long).toEqual([]);
});

test.each([
  ['function read(a: 1, b: 2, c: 3, d: 4, e?: 5) {}'],
  ['class Store { read(a: 1, b: 2, c: 3, d: 4, ...e: 5[]) {} }'],
  ['const read = (a = 1, b = 2, c = 3, { d } = {}, e = 5) => a;'],
])('planted: many parameters are caught: %s', (text) => {
  expect(measure({ 'a.ts': text }).wide).toMatchObject([{ name: 'read', parameters: 5 }]);
});

test('an object of many fields is one parameter, and lines of tests do not count', () => {
  const files = { 'a.ts': 'function read({ a, b, c, d, e }: Parts, f: 1, g: 2, h: 3) {}\n' };
  expect(measure(files)).toMatchObject({ wide: [], files: 1, lines: 1 });
  expect([...readSource('.').keys()].filter((path) => /\.(?:test|contract)\.ts$/.test(path))).toEqual([]);
});

function measure(files: Readonly<Record<string, string>>) {
  return measureSource(new Map(Object.entries(files)));
}
