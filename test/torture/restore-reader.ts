/** Documents that must be what they were: never another text under an address, or under an id. */
const AICF_FEEDS = ['ai-changes.ndjson', 'aicf/docs.ndjson'];

/** A reader who keeps all that a hub ever served, over its restarts and restores, and counts what became another. */
export class LongMemory {
  /** Served before and other now, by what it is; ids that stand for two changes; cursors that are not taken any more. */
  readonly wrong = {
    'feeds rewritten': 0,
    'archives rewritten': 0,
    'entries rewritten': 0,
    'ids reused': 0,
    'cursors lost': 0,
  };
  readonly #feeds = new Map<string, string>();
  readonly #archives = new Map<string, string>();
  readonly #entries = new Map<string, string>();
  readonly #lines = new Map<string, string>();

  /** How much there is to compare. */
  get kept() {
    return { lines: this.#lines.size, archives: this.#archives.size, entries: this.#entries.size };
  }

  async read(hub: string): Promise<void> {
    for (const path of AICF_FEEDS) await this.#readFeed(hub, path);
    await this.#readArchives(hub);
    await this.#readEntries(hub);
    await this.#tryCursors(hub);
  }

  async #readFeed(hub: string, path: string): Promise<void> {
    const text = await textAt(`${hub}${path}`);
    const before = this.#feeds.get(path) ?? '';
    if (text?.startsWith(before)) this.#feeds.set(path, text);
    else this.wrong['feeds rewritten'] += 1;
    for (const line of text?.split('\n').slice(0, -1) ?? []) {
      const { id } = JSON.parse(line) as { readonly id: string };
      if ((this.#lines.get(id) ?? line) !== line) this.wrong['ids reused'] += 1;
      this.#lines.set(id, line);
    }
  }

  /** An archive may be gone behind a restore; it is never another one. */
  async #readArchives(hub: string): Promise<void> {
    for (const path of ['diff/latest.json', 'diff/docs/latest.json']) {
      const latest = await textAt(`${hub}${path}`);
      const { archive_url } = (latest === undefined ? {} : JSON.parse(latest)) as { readonly archive_url?: string };
      if (archive_url !== undefined && !this.#archives.has(archive_url)) this.#archives.set(archive_url, '');
    }
    for (const [url, before] of this.#archives) {
      const text = await textAt(new URL(url, hub).href);
      if (text === undefined) continue;
      if (before !== '' && text !== before) this.wrong['archives rewritten'] += 1;
      this.#archives.set(url, text);
    }
  }

  async #readEntries(hub: string): Promise<void> {
    const feed = (await textAt(`${hub}changes.atom`)) ?? '';
    for (const [entry] of feed.matchAll(/<entry>.*?<\/entry>/gs)) {
      const id = /<id>(.*?)<\/id>/.exec(entry)?.[1] ?? '';
      if ((this.#entries.get(id) ?? entry) !== entry) this.wrong['entries rewritten'] += 1;
      this.#entries.set(id, entry);
    }
  }

  async #tryCursors(hub: string): Promise<void> {
    const ids = [...this.#lines.keys()];
    for (const id of ids.slice(-3)) {
      const answer = await fetch(`${hub}api/v1/changes?after=${id}`);
      await answer.arrayBuffer();
      if (answer.status !== 200) this.wrong['cursors lost'] += 1;
    }
  }
}

/** Undefined where there is nothing. */
async function textAt(url: string): Promise<string | undefined> {
  const answer = await fetch(url);
  const text = await answer.text();
  return answer.ok ? text : undefined;
}
