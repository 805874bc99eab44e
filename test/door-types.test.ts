import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/site.ts';
import { exportsOf, missingTypes } from './support/spoken-types.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
};
const doors = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [sourceOf(types)]));

function sourceOf(types: string): string {
  return join(root, types.replace('dist/', 'src/').replace('.d.ts', '.ts'));
}

test.each(doors.map((door) => [relative(root, door), door]))('%s exports each type that is met there', (_, door) => {
  expect(exportsOf(door).length, 'the scan is empty').toBeGreaterThan(0);
  expect(missingTypes(door)).toEqual([]);
});

test('tidings/tlog has an example of each function', () => {
  const bare = exportsOf(join(root, 'src/doors/tlog.ts')).filter(({ file, name }) => {
    const before = readFileSync(file, 'utf8').split(new RegExp(`^export function\\*? ${name}\\b`, 'm'));
    return before.length > 1 && !/@example(?:(?!\*\/)[\s\S])*\*\/\n$/.test(before[0] ?? '');
  });
  expect(bare.map(({ name }) => name)).toEqual([]);
});

const PLANTED = `
import type { Far } from './far.ts';
interface Field { readonly deep: Deep }
type Deep = 'a' | { readonly of: Far };
interface Base {}
interface Held {}
interface Hidden {}
class Store<T> { held: Map<string, T> = new Map(); #hidden: Hidden = {}; private other(): Hidden { return {}; } }
const WORDS = ['a'] as const;
interface Made {}
function make(): Made { return {}; }
`;

test.each([
  [
    'a field',
    'export interface A { readonly x?: readonly Field[] }',
    ['A > Field', 'Field > Deep', 'Deep > Far', 'Far > Farther'],
  ],
  [
    'a member of a union',
    `export type A = 'x' | Readonly<Record<string, Deep>>`,
    ['A > Deep', 'Deep > Far', 'Far > Farther'],
  ],
  ['what is extended', 'export interface A extends Omit<Base, string> {}', ['A > Base']],
  [
    'a parameter and a result',
    'export function a({ x }: Base = {}, y?: Held): void { let z: Hidden; }',
    ['a > Base', 'a > Held'],
  ],
  [
    'a class',
    'export class A extends Store<Base> { read(): Held { return {}; } }',
    ['A > Store', 'A > Base', 'A > Held'],
  ],
  ['a callback', 'export interface A { on(told: (x: Base) => Held): void }', ['A > Base', 'A > Held']],
  ['the type of a value', 'export type A = (typeof WORDS)[number] | ReturnType<typeof make>', ['make > Made']],
  ['a constant that is made', 'export const A = { x: make() }', ['make > Made']],
  ['a constant with a type', 'export const A: Base = make()', ['A > Base']],
  ['what is not written down', 'export function a() { return make(); }', ['a > (inferred)']],
  [
    'what is exported',
    'export type { Far, Farther as Other } from "./far.ts"; export { Base as B }; export type A = Base | Far',
    [],
  ],
  ['what is handed on whole', 'export type * from "./far.ts"; export interface A { x: Far; y: Farther }', []],
])('planted: %s', (_, text, expected) => {
  using folder = temporaryFolder();
  folder.write({
    'far.ts': 'export interface Far { readonly x: Farther }\nexport interface Farther {}\n',
    'door.ts': `${PLANTED}${text};\n`,
  });
  expect(missingTypes(join(folder.path, 'door.ts')).map(({ type, by }) => `${by} > ${type}`)).toEqual(expected);
});
