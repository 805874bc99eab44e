import type { MigrationDelta } from '../codecs/agent-feed/wire.ts';
import type { EndpointMigration, EndpointRecord } from './endpoint-record.ts';
import { indexShape, parentsOf, plainPath, type Shape, type ShapeIndex, tokensAt } from './shape.ts';
import { fits } from './type-token.ts';

/** How a live response differs from what the feed announced, under the names of agent-feed §8. */
export interface Discrepancy {
  readonly 'expected-but-missing': readonly string[];
  readonly 'observed-but-unannounced': readonly string[];
  readonly 'retype-mismatch': readonly RetypeMismatch[];
}

export interface RetypeMismatch {
  readonly path: string;
  readonly 'expected-token': string;
  readonly 'observed-token': string;
}

export interface Disagreement {
  readonly 'expected-version': string;
  readonly 'observed-discrepancy': Discrepancy;
  /** The last version that the world may still serve. */
  readonly 'fallback-version': string | null;
}

/**
 * Compares a response with the last migration into the current version. Undefined if they agree.
 *
 * A field that no entry mentions counts only if `baseline` gives the earlier fields: deltas alone do not describe a whole schema (T-AF-17).
 */
export function findDisagreement(record: EndpointRecord, observed: Shape, baseline?: Shape): Disagreement | undefined {
  const migration = lastInto(record);
  const index = indexShape(observed);
  const { add = [], remove = [], rename = {}, retype = {} } = migration?.delta ?? {};
  const arrivals = [...add, ...Object.values(rename)];
  const missing = arrivals.filter((path) => tokensAt(index, path) === 'absent');
  // Fields that the same delta adds, and their parents, are not gone: {"/amount": "/amount/value"}.
  const staying = new Set(arrivals.flatMap((path) => [path, ...parentsOf(path)]));
  const gone = [...remove, ...Object.keys(rename)].filter((path) => !staying.has(path) && isPresent(index, path));
  const unknown = baseline === undefined ? [] : unmentioned(record, observed, baseline);
  const retyped = Object.entries(retype).flatMap(([path, { to }]) => retypeMismatch(index, path, to));
  if (missing.length + gone.length + unknown.length + retyped.length === 0) return undefined;
  return {
    'expected-version': record.version,
    'observed-discrepancy': {
      'expected-but-missing': [...new Set(missing)],
      'observed-but-unannounced': [...new Set([...gone, ...unknown])],
      'retype-mismatch': retyped,
    },
    'fallback-version': migration?.from ?? null,
  };
}

/** Undefined if an announcement set the version later: then nothing is known in advance about it (T-AF-18). */
function lastInto({ migrations, version }: EndpointRecord): EndpointMigration | undefined {
  return migrations.findLast(({ to }) => to === version);
}

function isPresent(index: ShapeIndex, path: string): boolean {
  return typeof tokensAt(index, path) !== 'string';
}

/** At most one, however many elements of an array differ. A value of the wrong type says more than a missing one. */
function retypeMismatch(index: ShapeIndex, path: string, promised: string): RetypeMismatch[] {
  const found = tokensAt(index, path);
  const wrong = typeof found === 'string' ? [] : found.filter((token) => !fits(token, promised));
  const observed = wrong.find((token) => token !== 'null') ?? wrong[0];
  return observed === undefined ? [] : [{ path, 'expected-token': promised, 'observed-token': observed }];
}

/**
 * Fields that are neither in the baseline nor in any delta. Only the top of such a path is reported, and of an array only the first element. A field
 * that a delta mentions covers everything inside it.
 */
function unmentioned({ migrations }: EndpointRecord, observed: Shape, baseline: Shape): string[] {
  const mentioned = new Set(migrations.flatMap(({ delta }) => pathsOf(delta)).map(plainPath));
  const known = new Set(['', ...[...baseline.keys()].map(plainPath), ...mentioned]);
  for (const path of [...known]) for (const parent of parentsOf(path)) known.add(parent);
  const unknown = new Set<string>();
  const told: string[] = [];
  for (const path of observed.keys()) {
    const plain = plainPath(path);
    if (known.has(plain) || unknown.has(plain)) continue;
    const [parent = '', ...others] = parentsOf(plain);
    if (unknown.has(parent)) {
      unknown.add(plain);
    } else if (mentioned.has(parent) || others.some((other) => mentioned.has(other))) {
      known.add(plain);
    } else {
      unknown.add(plain);
      told.push(path);
    }
  }
  return told;
}

function pathsOf({ add = [], remove = [], rename = {}, retype = {} }: MigrationDelta): string[] {
  return [...add, ...remove, ...Object.entries(rename).flat(), ...Object.keys(retype)];
}
