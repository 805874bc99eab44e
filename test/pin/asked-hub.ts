import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { hashOfText } from '../../src/doors/diffdelta.ts';

/** Where readers find the hub, as its settings say. Every address in its documents begins with it. */
export const HUB_ADDRESS = 'https://hub.example/';
export const HUB_TOKEN = 'test-token-of-the-pinned-hub';

const KEPT_HEADERS = ['content-type', 'etag', 'cache-control', 'cdn-cache-control', 'link'];
const POLL_MS = 5;
/** An end for what hangs, also on a busy machine. */
const MOST_POLLS = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: a reader of JSON, as a script would be
type Json = any;

/** What readers and the admin ask of a running hub. */
export class AskedHub {
  readonly #url: string;

  constructor({ url }: { readonly url: string }) {
    this.#url = url;
  }

  ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(new URL(path, this.#url), { headers: { 'accept-encoding': 'identity', ...headers } });
  }

  async admin(method: string, path: string, body?: object): Promise<Json> {
    const answer = await fetch(new URL(`api/v1/sources${path}`, this.#url), {
      method,
      headers: { authorization: `Bearer ${HUB_TOKEN}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    });
    const text = await answer.text();
    expect(answer.status, text).toBeLessThan(300);
    return JSON.parse(text);
  }

  /** Adds a source, which is checked at once, to the end of that check. */
  async add(source: { readonly id: string }): Promise<void> {
    await this.admin('POST', '', source);
    await this.untilChecked(source.id, 0);
  }

  /** Checks a source now, to the end. */
  async check(id: string): Promise<void> {
    const before = await this.#checksOf(id);
    await this.admin('POST', `/${id}/check`);
    await this.untilChecked(id, before);
  }

  /** An answer as text: its status, the headers that readers count on, its body. */
  async document(path: string): Promise<string> {
    const answer = await this.ask(path);
    const headers = KEPT_HEADERS.filter((name) => answer.headers.has(name));
    const lines = [answer.status, ...headers.map((name) => `${name}: ${answer.headers.get(name)}`)];
    return steadyText(`${lines.join('\n')}\n\n`, await answer.text());
  }

  /** Every document that can be reached from these, by its path. Those of earlier calls are given in `from`. */
  async documents(from: Iterable<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const left = [...from];
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      if (found.has(path)) continue;
      const text = await this.document(path);
      found.set(path, text);
      left.push(...linksIn(text).filter((link) => !found.has(link)));
    }
    return found;
  }

  /** So many checks were made before. */
  async untilChecked(id: string, before: number): Promise<void> {
    await until(`${id} is checked`, async () => (await this.#checksOf(id)) > before);
    // The feeds of all dialects have what the log has.
    await until(`the feeds have what ${id} said`, async () => {
      const metrics = await (await this.ask('metrics')).text();
      const figure = (name: string) => new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1];
      return figure('tidings_feed_seq') === figure('tidings_log_seq');
    });
  }

  async #checksOf(id: string): Promise<number> {
    return (await this.admin('GET', `/${id}/checks?limit=500`)).checks.length;
  }
}

/** Polls until it holds. That of vitest would move the clock, which stands here until a test moves it. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let polls = 0; !(await holds()); polls += 1) {
    if (polls === MOST_POLLS) throw new Error(`It did not come to pass that ${what}.`);
    await pause(POLL_MS);
  }
}

/**
 * A DiffDelta file is written again when its source stands otherwise. How often and when that is depends on which of two writers
 * comes first, so its time, the count in its ETag and the hashes over them are left out; cursors and items are not. That the
 * hash is right is checked here.
 */
function steadyText(head: string, body: string): string {
  if (!/"generated_at":"/.test(body.slice(0, 2000))) return head + body;
  const hash = /"hash":"(sha256:[0-9a-f]{64})"/.exec(body)?.[1];
  if (hash !== undefined) expect(hashOfText(body)).toBe(hash);
  const steadyBody = body
    .replace(/"generated_at":"[^"]*"/, '"generated_at":"(time)"')
    .replace(/"prev_hash":(?:null|"[^"]*")/, '"prev_hash":"(hash)"')
    .replace(`"hash":"${hash}"`, '"hash":"(right)"');
  return head.replace(/(etag: "[^".]*)\.\d+"/, '$1"') + steadyBody;
}

/** Paths of other documents of the hub, without those that ask for something. */
function linksIn(text: string): string[] {
  const absolute = [...text.matchAll(/https:\/\/hub\.example\/([^\s"<>\\?#{}&]+)(?=["<\s\\])/g)];
  const archives = [...text.matchAll(/"archive_url":"\/?([^"]+)"/g)];
  return [...absolute, ...archives].map(([, path = '']) => path.replace(HUB_ADDRESS, '')).filter(isDocument);
}

function isDocument(path: string): boolean {
  return /\.(?:json|ndjson|atom|xml)$|ai-changefeed$/.test(path);
}
