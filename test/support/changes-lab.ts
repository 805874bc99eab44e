import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFramer } from '../../src/hub/dashboard/page-frame.ts';
import { type AnyView, viewRoutes } from '../../src/hub/dashboard/view.ts';
import { NOBODY } from '../../src/hub/sign-in/viewer.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import { gzipSmall } from '../../src/io/zlib/document.ts';
import type { Change, ChangeDraft } from '../../src/model/change.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;
const URL_A = 'https://docs.example/limits';

export type Store = Awaited<ReturnType<typeof openSqliteHubStore>>;

/** The store of a hub with a test clock: every commit comes a minute later. */
export async function openChangesLab() {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-changes-'));
  let nowMs = NOON;
  const store = await openSqliteHubStore({ folder, now: () => nowMs });
  let last: string | undefined;
  const commit = async (drafts: readonly Partial<ChangeDraft>[], texts: readonly string[] = [], source = 'docs') => {
    nowMs += MINUTE;
    const whole = drafts.map((draft): ChangeDraft => ({ source, action: 'update', url: URL_A, ...draft }));
    return await store.commit({ source, drafts: whole, snapshots: new Map(texts.map((text) => [nameOf(text), text])) });
  };
  return {
    folder,
    store,
    now: () => nowMs,
    commit,
    /** Sets the text of the page: one change, found by reading. */
    async say(text: string, draft: Partial<ChangeDraft> = {}): Promise<Change> {
      const before = last === undefined ? {} : { before: last };
      last = nameOf(text);
      const provenance = { by: 'compare', ...before, after: last, ...draft.provenance };
      const [change] = await commit([{ ...draft, provenance }], [text]);
      if (change === undefined) throw new Error('Nothing was appended.');
      return change;
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function nameOf(text: string): string {
  return `sha256:${hash('sha256', text, 'hex')}`;
}

/** Both formats of views, for a visitor who is not signed in. */
export function routesOfViews(...views: readonly AnyView[]) {
  const frame = createFramer({
    style: 'assets/1/dashboard.css',
    script: 'assets/1/dashboard.js',
    icon: 'assets/1/icon.svg',
    doneWords: {},
    canSignIn: false,
  });
  return viewRoutes(views, { viewers: { viewerOf: () => NOBODY }, frame, gzip: gzipSmall });
}
