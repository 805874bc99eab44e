import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningHub, startHub } from '../../src/doors/hub.ts';
import type { TortureReport } from './harness.ts';
import { Random } from './hub-random.ts';

/** Where a connection is cut: as soon as it stands, once the request is sent, at the head of the answer, in the midst of it, or not at all. */
const CUTS = ['connected', 'sent', 'head', 'body', 'never'] as const;
type Cut = (typeof CUTS)[number];

const SITE = 'https://docs.example/';
const PAGES = 12;
const EDIT_EVERY_MS = 60;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const WISH = {
  resourcesListChanged: true,
  resourceSubscriptions: [`tidings://page/${encodeURIComponent(`${SITE}p1.html`)}`],
};

interface Answered {
  readonly changes: readonly { readonly id: string; readonly seq: number }[];
  readonly next: string | null;
  readonly more: boolean;
}

/**
 * A reader whose calls and streams are cut while a site is edited. Behind each cut it asks `changes_since` with the last cursor that it has. In the end it
 * must have every change of the log, each once and in order.
 */
export async function tortureMcpCuts({
  rounds,
  seed,
}: {
  readonly rounds: number;
  readonly seed: number;
}): Promise<TortureReport> {
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), 'tidings-mcp-cuts-'));
  const site = new EditedSite(join(folder, 'site'), random);
  const sources = [{ id: 'docs', kind: 'folder' as const, path: './site', site: SITE, intervalSeconds: 1 }];
  const hub = await startHub({ data: './data', port: 0, sources, connectionsPerClient: 0 }, { base: folder });
  const editing = setInterval(() => site.edit(), EDIT_EVERY_MS);
  try {
    const reader = new CutReader(hub, random);
    let done = 0;
    // The site is looked at each second: there have to be edits among what is read.
    for (; done < rounds || (reader.count <= PAGES + 4 && done < 100 * rounds); done++) await reader.round();
    clearInterval(editing);
    await reader.catchUp();
    return { name: `mcp cuts (seed ${seed})`, rounds: done, hits: reader.hits, wrong: await reader.judge() };
  } finally {
    clearInterval(editing);
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A built site whose sections are edited one at a time; now and then a page comes. */
class EditedSite {
  readonly #folder: string;
  readonly #random: Random;
  #edits = 0;

  constructor(folder: string, random: Random) {
    this.#folder = folder;
    this.#random = random;
    mkdirSync(folder, { recursive: true });
    for (let page = 0; page < PAGES; page++) this.#write(page);
  }

  edit(): void {
    this.#edits += 1;
    this.#write(this.#random.integer(0, PAGES - 1));
    if (this.#edits % 20 === 0) this.#write(PAGES + this.#edits / 20);
  }

  #write(page: number): void {
    const text = `<title>Page ${page}</title><main><h1 id="top">Page ${page}</h1><p>What stays as it is.</p><h2 id="edited">Edited</h2><p>Edit number ${this.#edits} of this text.</p></main>`;
    writeFileSync(join(this.#folder, `p${page}.html`), text);
  }
}

class CutReader {
  hits = 0;
  readonly #hub: RunningHub;
  readonly #random: Random;
  readonly #seen: { readonly id: string; readonly seq: number }[] = [];
  #after: string | undefined;
  #failed = 0;

  constructor(hub: RunningHub, random: Random) {
    this.#hub = hub;
    this.#random = random;
  }

  get count(): number {
    return this.#seen.length;
  }

  /** One call or stream that is cut, then a call that is not. */
  async round(): Promise<void> {
    const cut = this.#random.pick(CUTS);
    const isStream = this.#random.chance(1 / 3);
    // A stream never ends by itself.
    const where = isStream && cut === 'never' ? 'body' : cut;
    const text = await this.#send(isStream ? listen() : changesSince(this.#after), where);
    if (text === undefined) this.hits += 1;
    else if (!isStream) this.#take(text);
    await this.catchUp();
  }

  async catchUp(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const text = await this.#send(changesSince(this.#after), 'never');
      isMore = text !== undefined && this.#take(text);
    }
  }

  /** What is wrong with all that was read, beside the log itself. */
  async judge(): Promise<TortureReport['wrong']> {
    const ids = this.#seen.map(({ id }) => id);
    const known = new Set(ids);
    const log = await this.#log();
    const upToHere = log.filter((id) => id <= (this.#after ?? ''));
    return {
      lost: upToHere.filter((id) => !known.has(id)).length,
      doubled: ids.length - known.size,
      'out of order': this.#seen.filter(({ seq }, index) => seq !== index + 1).length,
      'not in the log': ids.filter((id) => !log.includes(id)).length,
      'calls that failed': this.#failed,
      'logs without edits': log.length > PAGES ? 0 : 1,
    };
  }

  async #log(): Promise<readonly string[]> {
    const ids: string[] = [];
    let after = '';
    for (;;) {
      const answer = await fetch(`${this.#hub.url}api/v1/changes?limit=1000${after}`);
      const { changes, next } = (await answer.json()) as Answered;
      ids.push(...changes.map(({ id }) => id));
      after = `&after=${next}`;
      if (changes.length < 1000) return ids;
    }
  }

  /** Whether there may be more. */
  #take(text: string): boolean {
    const { result } = JSON.parse(text) as { result?: { structuredContent?: Answered } };
    const answered = result?.structuredContent;
    if (answered === undefined) {
      this.#failed += 1;
      return false;
    }
    this.#seen.push(...answered.changes.map(({ id, seq }) => ({ id, seq })));
    this.#after = answered.next ?? undefined;
    return answered.more;
  }

  /** The whole answer; undefined where it was cut before its end. */
  #send(message: Message, cut: Cut): Promise<string | undefined> {
    return new Promise((resolve) => {
      const sent: ClientRequest = httpRequest(`${this.#hub.url}mcp`, {
        method: 'POST',
        agent: false,
        headers: headersOf(message),
      });
      const end = () => {
        sent.destroy();
        resolve(undefined);
      };
      sent.on('error', () => resolve(undefined));
      if (cut === 'connected') sent.on('socket', (socket) => socket.once('connect', end));
      sent.on('response', (answer) => {
        if (cut === 'head') end();
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
          if (cut === 'body') end();
        });
        answer.on('error', () => resolve(undefined));
        answer.on('end', () => resolve(text));
      });
      sent.end(JSON.stringify(message), () => {
        if (cut === 'sent') end();
      });
    });
  }
}

interface Message {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

function changesSince(after: string | undefined): Message & object {
  const args = { limit: 1000, ...(after !== undefined && { after }) };
  return message('tools/call', { name: 'changes_since', arguments: args });
}

function listen(): Message & object {
  return message('subscriptions/listen', { notifications: WISH });
}

function message(method: string, params: Readonly<Record<string, unknown>>): Message & object {
  return Object.assign({ jsonrpc: '2.0', id: 1 }, { method, params: { ...params, _meta: META } });
}

function headersOf({ method, params }: Message): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
  };
}
