/** Documents that must be what they were: never another text under an address, or under an id. */
const AICF_FEEDS = ['ai-changes.ndjson', 'aicf/docs.ndjson'];
const DIFFDELTA_FEEDS = ['diff/latest.json', 'diff/docs/latest.json'];
const ATOM_FEEDS = ['changes.atom', 'atom/docs.atom'];
/** In JSON and in XML: where the archive of a feed, and the one before it, stand. */
const ARCHIVE_LINKS = /"(?:prev_)?archive_url":"([^"]+)"|rel="prev-archive"[^>]* href="([^"]+)"/g;

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
  /** By their paths: a hub has another port after each start. */
  readonly #archives = new Map<string, string>();
  readonly #entries = new Map<string, string>();
  readonly #lines = new Map<string, string>();
  /** The newest ids of the last readings. */
  #cursors: readonly string[] = [];

  /** How much there is to compare. */
  get kept() {
    const atom = [...this.#archives.keys()].filter((path) => path.endsWith('.atom')).length;
    return { lines: this.#lines.size, archives: this.#archives.size, entries: this.#entries.size, atom };
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
    const known = new Set(this.#archives.keys());
    for (const feed of [...DIFFDELTA_FEEDS, ...ATOM_FEEDS]) {
      for (const path of archivesIn(await textAt(`${hub}${feed}`))) known.add(path);
    }
    for (const path of known) {
      const text = (await textAt(new URL(path, hub).href))?.replaceAll(new URL(hub).host, 'hub.example');
      if (text === undefined) continue;
      if ((this.#archives.get(path) ?? text) !== text) this.wrong['archives rewritten'] += 1;
      this.#archives.set(path, text);
      if (path.endsWith('.atom')) for (const before of archivesIn(text)) known.add(before);
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
    this.#cursors = [...this.#cursors, ...[...this.#lines.keys()].slice(-2)].slice(-6);
    for (const id of new Set(this.#cursors)) {
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

function archivesIn(text = ''): string[] {
  return [...text.matchAll(ARCHIVE_LINKS)].map(([, json, xml = '']) => json ?? new URL(xml).pathname);
}
