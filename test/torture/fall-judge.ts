import type { Change } from '../../src/model/change.ts';

/** What was done to a site, and when it was live. */
export interface Edit {
  readonly action: Change['action'];
  readonly path: string;
  readonly anchor?: string;
  readonly atMs: number;
}

type Telling = Pick<Change, 'action' | 'url' | 'anchor' | 'time'>;

/** A moment may be written to the second. */
const PRECISION_MS = 1000;

export interface Verdict {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

/**
 * What a log lacks, and what it has too often. An edit was told when its page or section was told behind it; several of one section may be told as
 * one. Nothing is told more often than it was edited, at any moment.
 */
export function judge(edits: readonly Edit[], tellings: readonly Telling[], base: string): Verdict {
  const told = tellings.map(({ url, time, ...rest }) => ({
    ...rest,
    path: url.slice(base.length),
    atMs: Date.parse(time),
  }));
  const lost = edits.filter((edit) => !told.some((telling) => tells(telling, edit))).map(textOf);
  const doubled: string[] = [];
  for (const [index, telling] of told.entries()) {
    const before = told.slice(0, index + 1);
    const made = edits.filter(({ atMs }) => atMs <= telling.atMs + PRECISION_MS);
    const count = (list: readonly Omit<Edit, 'atMs'>[], isSame: (one: Omit<Edit, 'atMs'>) => boolean) =>
      list.filter(isSame).length;
    const ofPage = (one: Omit<Edit, 'atMs'>) => one.path === telling.path;
    const ofKind = (one: Omit<Edit, 'atMs'>) => ofPage(one) && one.action === telling.action;
    const ofSection = (one: Omit<Edit, 'atMs'>) => ofPage(one) && one.anchor === telling.anchor;
    const rules = [
      ofPage,
      ...(telling.action === 'update' ? [] : [ofKind]),
      ...(telling.anchor === undefined ? [] : [ofSection]),
    ];
    if (rules.some((isSame) => count(before, isSame) > count(made, isSame))) doubled.push(textOf(telling));
  }
  return { lost, doubled };
}

function tells(telling: Edit, edit: Edit): boolean {
  if (telling.path !== edit.path || telling.atMs + PRECISION_MS < edit.atMs) return false;
  if (edit.action === 'delete') return telling.action === 'delete';
  return telling.anchor === undefined || edit.anchor === undefined || telling.anchor === edit.anchor;
}

function textOf({ action, path, anchor, atMs }: Edit): string {
  return `${action} ${path}${anchor === undefined ? '' : `#${anchor}`} at ${new Date(atMs).toISOString()}`;
}
