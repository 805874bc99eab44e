import type { SchemaNode } from '../../codecs/api-description/description.ts';
import type { ShapeChanges } from './compare-shapes.ts';
import type { Suggestion } from './surface-diff.ts';

const LEAST_SCORE = 0.5;
/** Every pair is looked at. */
const MAX_PATHS = 200;

/** The maximum number of candidates for one field, and in total. */
const MAX_CANDIDATES = 3;
const MAX_SUGGESTIONS = 50;

/**
 * Pairs of removed and new fields that may be one field under two names, the likeliest first. A field may be in several pairs: only a person knows
 * which is right. An optional field rarely becomes a required one, so such pairs come last.
 */
export function suggestRenames({ removed, added }: Pick<ShapeChanges, 'removed' | 'added'>): Suggestion[] {
  if (removed.size > MAX_PATHS || added.size > MAX_PATHS) return [];
  const olds = [...removed].map(([path, { node, required }], index) => ({ path, node, required, index }));
  const news = [...added].map(([path, { node, required }], index) => ({ path, node, required, index }));
  const pairs = olds.flatMap((old) =>
    news.map((now) => ({
      from: old.path,
      to: now.path,
      score: scoreOf(old, now, olds.length === news.length),
      isUnusual: !old.required && now.required,
    })),
  );
  const likely = pairs.filter(({ score }) => score >= LEAST_SCORE);
  likely.sort((left, right) => Number(left.isUnusual) - Number(right.isUnusual) || right.score - left.score);
  const counts = new Map<string, number>();
  const chosen: Suggestion[] = [];
  for (const { from, to, score } of likely) {
    const keys = [`old ${from}`, `new ${to}`];
    if (chosen.length === MAX_SUGGESTIONS || keys.some((key) => (counts.get(key) ?? 0) >= MAX_CANDIDATES)) continue;
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    chosen.push({ is: 'rename', from, to, score });
  }
  return chosen;
}

interface Candidate {
  readonly path: string;
  readonly node: SchemaNode;
  readonly index: number;
}

/** From 0 to 1: the same type 0.4, a similar name up to 0.4, the same parent 0.15, the same position 0.05. */
function scoreOf(old: Candidate, now: Candidate, isSameCount: boolean): number {
  if (kindOf(old.node) !== kindOf(now.node)) return 0;
  const [oldParent, oldName] = splitPath(old.path);
  const [newParent, newName] = splitPath(now.path);
  const place = (oldParent === newParent ? 0.15 : 0) + (isSameCount && old.index === now.index ? 0.05 : 0);
  return Math.round((0.4 + 0.4 * similarity(oldName, newName) + place) * 100) / 100;
}

function kindOf(node: SchemaNode): string {
  return node.is === 'opaque' ? node.is : node.token;
}

function splitPath(path: string): readonly [string, string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, at), path.slice(at + 1)];
}

/** How many pairs of neighbouring letters two names share, however their words are joined. */
function similarity(left: string, right: string): number {
  const [lefts, rights] = [pairsOf(left), pairsOf(right)];
  if (lefts.size + rights.size === 0) return left === right ? 1 : 0;
  const shared = [...lefts].filter((pair) => rights.has(pair)).length;
  return (2 * shared) / (lefts.size + rights.size);
}

function pairsOf(name: string): Set<string> {
  const letters = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)));
}
