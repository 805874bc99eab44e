import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { StateCommit } from '../../follow/follow-state.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import type {
  ChangeQuery,
  CheckWord,
  HubStore,
  PageState,
  SourceCheck,
  SourceHealth,
  WatchedSource,
} from './hub-store.ts';

export interface HubStoreWorld {
  readonly now: () => number;
}

/** One place where a hub can live. Opening it again finds what was stored there. */
export interface HubStorePlace {
  open(world?: HubStoreWorld): Promise<HubStore>;
}

/** A kind of store that is tried: what it is called, and how a new, empty one is made. */
export interface HubStoreTrial {
  readonly name: string;
  readonly makePlace: () => Promise<HubStorePlace>;
  /** It goes by a clock that no test can set. */
  readonly hasOwnClock?: boolean;
  /** At a place of its own. */
  readonly openNew: (world?: HubStoreWorld) => Promise<HubStore>;
}

export const NOON = Date.parse('2026-03-01T12:00:00Z');
export const DAY = 86_400_000;
export const NOBODY = 'sha256:0';
export const ENTRY = 'https://docs.example/.well-known/ai-changefeed';
export const EVENT = {
  id: '1',
  action: 'update',
  url: 'https://docs.example/p',
  time: '2025-08-21T12:00:00Z',
  provenance: { by: 'd', originId: '1' },
} as const;
export const ITEMS = [{ key: 'k', page: EVENT.url, version: '1', isRemoved: false }];

export function source(id: string): WatchedSource {
  const config = { id, kind: 'site', url: `https://${id}.example/` } as const;
  return { config, origin: 'api', addedAtMs: NOON, health: health(0) };
}

export function health(number: number): SourceHealth {
  return { changed: false, failures: number, intervalMs: 60_000, dueAtMs: NOON + number, changeGapsMs: [1, 2.5] };
}

export function check(id: string, number: number, outcome: CheckWord = 'ok'): SourceCheck {
  const error = { code: 'DnsError', message: 'no such host' };
  const record = { source: id, atMs: number, tookMs: 1.5, outcome, changes: 0, pages: 3 };
  return { check: outcome === 'error' ? { ...record, error } : record, health: health(number) };
}

export function draft(id: string): ChangeDraft {
  return { source: id, action: 'update', url: EVENT.url };
}

export function urlOf(path: string): string {
  return `https://docs.example/${path}`;
}

export function page(path: string, snapshot?: string): PageState {
  const url = urlOf(path);
  const line = new TextEncoder().encode(`{"file":"f","extractor":"1","url":"${url}","title":"\u0000 ü"}\n`);
  const record = { url, file: 'f', extractor: '1', line };
  return snapshot === undefined ? { record } : { record, snapshot };
}

export function nameOf(text: string): string {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}

export function stateCommit(part: Partial<StateCommit>): StateCommit {
  const state = { source: 'a', entry: ENTRY, dialect: 'd', memory: '1' };
  return { state, seenIds: [], checksums: [], items: [], pending: [], settledIds: [], changes: [], ...part };
}

export async function all(store: HubStore, query: ChangeQuery = {}): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const change of store.changes(query)) changes.push(change);
  return changes;
}

/** A source with something in every corner. */
export async function fill(store: HubStore, id: string): Promise<void> {
  await store.putSources([source(id)]);
  await store.commit({
    source: id,
    drafts: [draft(id)],
    pages: { put: [page('1'), page('2')], remove: [], foundBy: 'links' },
  });
  const pending = [{ event: { ...EVENT, id: '2' }, tries: 1, reason: 'reset' }];
  const checksums = [{ page: EVENT.url, boundary: EVENT.url, checksum: 'c' }];
  await store
    .followStateOf(id)
    .commit(stateCommit({ seenIds: ['1'], checksums, items: ITEMS, pending, changes: [draft(id)] }));
  await store.recordChecks([check(id, 1)]);
}

export async function expectForgotten(store: HubStore, id: string): Promise<void> {
  expect(await store.pagesOf(id)).toEqual({ pages: new Map() });
  expect(await store.checksOf(id, 9)).toEqual([]);
  expect(await remembered(store, id)).toEqual(await remembered(store, 'nobody'));
}

export async function remembered(store: HubStore, id: string) {
  const state = store.followStateOf(id);
  return {
    state: await state.find(ENTRY),
    seen: await state.seenAmong(id, ['1', '2']),
    checksums: await state.checksumsOf(id, [EVENT.url]),
    items: await state.itemsAmong(id, ['k']),
    liveItems: await state.liveItemsOn(id, EVENT.url, 9),
    pending: await state.pendingOf(id),
  };
}
