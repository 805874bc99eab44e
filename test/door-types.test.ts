import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** A name, in the file that declares it or hands it on. */
interface NamePlace {
  readonly file: string;
  readonly name: string;
}

interface ReadSource {
  readonly text: string;
  readonly exported: readonly NamePlace[];
  /** What it imports or hands on from other files of ours, by its name here. */
  readonly others: ReadonlyMap<string, NamePlace>;
}

const sources = new Map<string, ReadSource>();

function readSource(file: string): ReadSource {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const exported: NamePlace[] = [];
  const others = new Map<string, NamePlace>();
  for (const [, verb, list = '', from] of text.matchAll(
    /^(import|export)(?: type)? \{([^}]*)\}(?: from '(\.[^']*)')?;/gm,
  )) {
    for (const [, own = '', alias = own] of list.matchAll(/(?:type )?(\w+)(?: as (\w+))?\s*(?:,|$)/g)) {
      const place = { file: from === undefined ? file : join(dirname(file), from), name: own };
      if (from !== undefined) others.set(alias, place);
      if (verb === 'export') exported.push(place);
    }
  }
  for (const [, name = ''] of text.matchAll(
    /^export (?:abstract |async )*(?:function\*?|class|interface|type|const) (\w+)/gm,
  ))
    exported.push({ file, name });
  const read = { text, exported, others };
  sources.set(file, read);
  return read;
}

/** What others see of a declaration; of a class its first line. Undefined where the file does not declare it. */
function shownText(name: string, text: string): string | undefined {
  const start = new RegExp(
    `^(?:export )?(?:abstract |async )*(function\\*?|class|interface|type|const) ${name}\\b`,
    'm',
  ).exec(text);
  if (start === null) return undefined;
  const rest = text.slice(start.index);
  if (start[1]?.startsWith('function')) return rest.slice(0, bodyStart(rest));
  if (start[1] === 'const') return rest.slice(0, rest.search(/ = /));
  return start[1] === 'class' ? rest.slice(0, rest.indexOf('\n')) : rest.slice(0, rest.search(/^\}|;\n(?=\n|$)/m));
}

/** Where the body of a function begins: a brace outside of all others, behind no sign that a type goes on. */
function bodyStart(text: string): number {
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/[(){}[\]]/g)) {
    if (sign === '{' && depth === 0 && !/(?:[:|&<,]|=>)\s*$/.test(text.slice(0, index))) return index;
    depth += '({['.includes(sign) ? 1 : -1;
  }
  return text.length;
}

/** Where a name is declared, through files that only hand it on. Undefined for what is not ours. */
function declaredAt({ file, name }: NamePlace): NamePlace | undefined {
  if (!existsSync(file)) return undefined;
  const { text, others } = readSource(file);
  if (shownText(name, text) !== undefined) return { file, name };
  const next = others.get(name);
  return next && declaredAt(next);
}

interface SpokenType {
  readonly type: string;
  /** What speaks of it. */
  readonly by: string;
  readonly isSignature: boolean;
}

/** Each type of ours that a door speaks of, in a signature or inside of a type, and does not export. */
function missingTypes(door: string): readonly SpokenType[] {
  const own = readSource(door).exported.flatMap((place) => declaredAt(place) ?? []);
  const keys = new Set(own.map(({ file, name }) => `${file} ${name}`));
  return own.flatMap(({ file, name: by }) => {
    const shown = shownText(by, readSource(file).text)?.replaceAll(/'[^']*'/g, '') ?? '';
    const isSignature = !/^(?:export )?(?:interface|type) /.test(shown);
    const names = new Set([...shown.matchAll(/\b[A-Z]\w*[a-z]\w*\b/g)].map(([name]) => name));
    return [...names].flatMap((type) => {
      const place = declaredAt({ file, name: type });
      return place === undefined || keys.has(`${place.file} ${place.name}`) ? [] : [{ type, by, isSignature }];
    });
  });
}

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
};
const doors = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [sourceOf(types)]));

function sourceOf(types: string): string {
  return join(root, types.replace('dist/', 'src/').replace('.d.ts', '.ts'));
}

test.each(doors.map((door) => [relative(root, door), door]))('%s exports each type of its signatures', (_, door) => {
  expect(readSource(door).exported.length, 'the scan is empty').toBeGreaterThan(0);
  expect(missingTypes(door).filter(({ isSignature }) => isSignature)).toEqual([]);
});

test('tidings/tlog exports the types inside of its types, too, and has an example of each function', () => {
  const door = join(root, 'src/doors/tlog.ts');
  expect(missingTypes(door)).toEqual([]);
  const places = readSource(door).exported.flatMap((place) => declaredAt(place) ?? []);
  const bare = places.filter(({ file, name }) => {
    const before = readFileSync(file, 'utf8').split(new RegExp(`^export function\\*? ${name}\\b`, 'm'));
    return before.length > 1 && !/@example(?:(?!\*\/)[\s\S])*\*\/\n$/.test(before[0] ?? '');
  });
  expect(bare.map(({ name }) => name)).toEqual([]);
});

test('a signature ends where the body begins, and a type that is not exported is found', () => {
  const text = 'export function read(at: Place): Result<{ a: Told }> {\n  const kept: Kept = at;\n}\n';
  expect(shownText('read', text)).toBe('export function read(at: Place): Result<{ a: Told }> ');
  expect(missingTypes(join(root, 'src/codecs/tlog/receipt.ts'))).toContainEqual({
    type: 'Result',
    by: 'decodeReceipt',
    isSignature: true,
  });
});
