import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLaw, pathsOf } from '../../../test/support/delta-law.ts';
import { decodeDescription } from '../../codecs/api-description/decode-description.ts';
import { findDisagreement } from '../../surface/disagreement.ts';
import { shapeOf } from '../../surface/shape.ts';
import { compareSurfaces } from './diff-surfaces.ts';
import type { SurfaceMigration } from './surface-diff.ts';

/** A type from which both a schema and answers are made. */
interface Tree {
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array';
  readonly nullable: boolean;
  readonly fields: Readonly<Record<string, Field>>;
  readonly items?: Tree;
}

interface Field {
  readonly tree: Tree;
  readonly required: boolean;
}

const { tree: anyTree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({
      type: fc.constantFrom('string' as const, 'number' as const, 'boolean' as const),
      nullable: fc.boolean(),
      fields: fc.constant({}),
    }),
    fc.record({ type: fc.constant('object' as const), nullable: fc.boolean(), fields: fieldsOf(tie('tree')) }),
    fc.record({
      type: fc.constant('array' as const),
      nullable: fc.boolean(),
      fields: fc.constant({}),
      items: tie('tree'),
    }),
  ),
}));

function fieldsOf(tree: fc.Arbitrary<Tree>): fc.Arbitrary<Record<string, Field>> {
  const field = fc.record({ tree, required: fc.boolean() });
  return fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'e~f', 'amount'), field, { maxKeys: 4 });
}

const root: fc.Arbitrary<Tree> = fieldsOf(anyTree).map((fields) => ({ type: 'object', nullable: false, fields }));

/** Of two trees, one that shares some of its fields with the first: so that there is something to keep. */
const pair = fc.tuple(root, root, fc.infiniteStream(fc.boolean())).map(([old, other, coins]) => ({
  old,
  now: mixed(old, other, coins),
}));

test('a delta of two random schemas leads from answers of the one to answers of the other, and back', async () => {
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(pair, async ({ old, now }) => {
      const migration = await migrationOf(old, now);
      if (Object.keys(migration).length > 0) changed += 1;
      expectLaw(migration, pathsOf(fullAnswer(old)), pathsOf(fullAnswer(now)));
    }),
    { numRuns: 200, seed: 6 },
  );
  expect(changed, 'pairs that differ').toBeGreaterThan(60);
});

test('a reader is silent on every answer that the new schema allows, and not on one of the old schema', async () => {
  let spoken = 0;
  await fc.assert(
    fc.asyncProperty(pair, async ({ old, now }) => {
      const delta = await migrationOf(old, now);
      const migrations = [{ from: '1', to: '2', delta, effectiveAt: '2026-01-01T00:00:00Z' }];
      const record = { endpointId: 'x', version: '2', migrations };
      for (const answer of [fullAnswer(now), leastAnswer(now)]) {
        expect(findDisagreement(record, shapeOf(answer))).toBeUndefined();
      }
      const { add = [], remove = [] } = delta;
      if (add.length + remove.length === 0) return;
      spoken += 1;
      expect(findDisagreement(record, shapeOf(fullAnswer(old)))).toBeDefined();
    }),
    { numRuns: 200, seed: 7 },
  );
  expect(spoken, 'pairs that show').toBeGreaterThan(60);
});

test('a schema compared with itself, its fields in another order, is the same', async () => {
  await fc.assert(
    fc.asyncProperty(root, async (tree) => {
      const turned = { ...tree, fields: Object.fromEntries(Object.entries(tree.fields).reverse()) };
      expect(await migrationOf(tree, turned)).toEqual({});
    }),
    { numRuns: 100, seed: 8 },
  );
});

async function migrationOf(old: Tree, now: Tree): Promise<SurfaceMigration> {
  const [before, after] = [await decodeDescription(textOf(old)), await decodeDescription(textOf(now))];
  if (!before.ok || !after.ok) throw new Error('The schema was refused.');
  const [operation] = compareSurfaces(before.value, after.value).diff.operations;
  expect(operation?.reason).toBeUndefined();
  return operation?.migration ?? {};
}

/** Every schema lists what is required, so that none leaves it open. */
function textOf(tree: Tree): string {
  const schema = schemaOf(tree);
  return JSON.stringify({ ...schema, required: ['id', ...(schema.required as string[])] });
}

function schemaOf({ type, nullable, fields, items }: Tree): Record<string, unknown> {
  const entries = Object.entries(fields);
  return {
    type: nullable ? [type, 'null'] : type,
    ...(type === 'object' && {
      properties: Object.fromEntries(entries.map(([name, { tree }]) => [name, schemaOf(tree)])),
      required: entries.filter(([, { required }]) => required).map(([name]) => name),
    }),
    ...(items !== undefined && { items: schemaOf(items) }),
  };
}

/** With everything that may be there. */
function fullAnswer({ type, fields, items }: Tree): unknown {
  if (type === 'array' && items !== undefined) return [fullAnswer(items), fullAnswer(items)];
  if (type !== 'object') return { string: 's', number: 1, boolean: true, array: [] }[type];
  return Object.fromEntries(Object.entries(fields).map(([name, { tree }]) => [name, fullAnswer(tree)]));
}

/** With nothing that may be missing. */
function leastAnswer({ type, nullable, fields }: Tree): unknown {
  if (nullable) return null;
  if (type !== 'object') return { string: '', number: 0, boolean: false, array: [] }[type];
  const certain = Object.entries(fields).filter(([, { required }]) => required);
  return Object.fromEntries(certain.map(([name, { tree }]) => [name, leastAnswer(tree)]));
}

function mixed(old: Tree, other: Tree, coins: Iterator<boolean>): Tree {
  if (old.type !== 'object' || other.type !== 'object') return coins.next().value ? old : other;
  const names = new Set([...Object.keys(old.fields), ...Object.keys(other.fields)]);
  const fields: Record<string, Field> = {};
  for (const name of names) {
    const [mine, theirs] = [old.fields[name], other.fields[name]];
    if (mine !== undefined && theirs !== undefined) {
      fields[name] = { ...theirs, tree: mixed(mine.tree, theirs.tree, coins) };
    } else if (mine !== undefined && coins.next().value) fields[name] = mine;
    else if (theirs !== undefined) fields[name] = theirs;
  }
  return { ...other, fields };
}
