import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { GLOBAL_ID } from '../../src/codecs/diffdelta/wire.ts';
import { encodeTilePath } from '../../src/codecs/tlog/tile-path.ts';
import { newBundles, newTiles } from '../../src/codecs/tlog/tiles-of-size.ts';

/** What is wrong with an exported place. */
export interface ExportWrong {
  /** Addresses in a document of the place, where no file is. */
  missing: number;
  torn: number;
  /** Lasting files with other bytes than before, and feeds that do not begin with what they were. */
  changed: number;
}

export const BASE = 'https://hub.example/';
const MAX_COMPLAINTS = 20;
/** Every address of this hub in a document, absolute or from its root. */
const ADDRESS = /(?<=["'>])(?:https:\/\/hub\.example)?\/([^"'<>\s{}]+)(?=["'<])/g;
const LASTING = /^archive\/|\/_archive\//;
const PROVABLE_LOG = '.well-known/tidings/';
/** What the export keeps for itself and for hosts. */
const OWN = /^(?:_headers|\.nojekyll|\.tidings-)/;

/** A reader of an exported place who reads every head, follows every address in it, and remembers what must not change. */
export class ExportJudge {
  readonly wrong: ExportWrong = { missing: 0, torn: 0, changed: 0 };
  /** The first of them, in words. */
  readonly complaints: string[] = [];
  /** Addresses that were followed. */
  followed = 0;
  readonly #place: string;
  readonly #lasting = new Map<string, string>();
  readonly #feeds = new Map<string, string>();

  constructor(place: string) {
    this.#place = place;
  }

  /** The place begins anew. */
  forget(): void {
    this.#lasting.clear();
    this.#feeds.clear();
  }

  /** Heads as they are now, and whether what they name is there by then. */
  readHeads(): void {
    for (const path of this.#files()) if (!LASTING.test(path)) this.#read(path);
  }

  /** Reads heads again and again until something has come to pass. */
  async readUntil(something: Promise<unknown>): Promise<void> {
    let isSo = false;
    const noted = something.finally(() => {
      isSo = true;
    });
    while (!isSo) {
      this.readHeads();
      await pause(5);
    }
    await noted;
  }

  /** Heads and all that can be reached from them, and every lasting file. */
  readAll(): void {
    const files = this.#files();
    const reached = new Set(files.filter((path) => !LASTING.test(path)));
    for (const path of reached) for (const address of this.#read(path)) reached.add(address);
    for (const path of files.filter((each) => LASTING.test(each))) {
      const digest = hash('sha256', this.#textOf(path) ?? '');
      if ((this.#lasting.get(path) ?? digest) !== digest) this.#blame('changed', path);
      this.#lasting.set(path, digest);
    }
  }

  #files(): string[] {
    try {
      const found = readdirSync(this.#place, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      const paths = found.map(({ parentPath, name }) => join(parentPath, name).slice(this.#place.length + 1));
      return paths.filter((path) => !OWN.test(path));
    } catch {
      // Not there yet.
      return [];
    }
  }

  /** The addresses that it names. */
  #read(path: string): readonly string[] {
    const text = this.#textOf(path);
    if (text === undefined) return [];
    if (path.endsWith('.ndjson')) {
      this.#readFeed(path, text);
      return [];
    }
    if (path.startsWith(PROVABLE_LOG)) return path === `${PROVABLE_LOG}checkpoint` ? this.#tilesOf(text) : [];
    if (!isWhole(path, text)) this.#blame('torn', path);
    const addresses = [...text.matchAll(ADDRESS)].map(([, address = '']) => address);
    for (const address of addresses) {
      this.followed += 1;
      if (this.#textOf(address) === undefined && !isOwnHead(path, address))
        this.#blame('missing', `${path} names ${address}`);
    }
    return addresses;
  }

  /** A checkpoint names every tile and bundle of its size. */
  #tilesOf(note: string): readonly string[] {
    const size = Number(note.split('\n')[1]);
    if (!(size > 0)) this.#blame('torn', `a checkpoint of size ${size}`);
    const tiles = [...newBundles(0, size), ...newTiles(0, size)].map(
      (tile) => `${PROVABLE_LOG}${encodeTilePath(tile)}`,
    );
    for (const path of tiles) {
      this.followed += 1;
      if (this.#textOf(path) === undefined) this.#blame('missing', `the checkpoint of size ${size} covers ${path}`);
    }
    return tiles;
  }

  #readFeed(path: string, text: string): void {
    if (text !== '' && !text.endsWith('\n')) this.#blame('torn', path);
    if (!text.startsWith(this.#feeds.get(path) ?? '')) this.#blame('changed', path);
    this.#feeds.set(path, text);
  }

  #blame(what: keyof ExportWrong, where: string): void {
    this.wrong[what] += 1;
    if (this.complaints.length < MAX_COMPLAINTS) this.complaints.push(`${what}: ${where}`);
  }

  #textOf(path: string): string | undefined {
    try {
      return readFileSync(join(this.#place, path), 'utf8');
    } catch {
      return undefined;
    }
  }
}

/**
 * A feed of DiffDelta and its head name each other, and so do its archives. The head is written last: who comes by it finds all of them, and who is at a feed
 * before that finds its head a moment later.
 */
function isOwnHead(path: string, address: string): boolean {
  const [, source] = /^archive\/(\w+)\//.exec(path) ?? [];
  if (source !== undefined) return address === (source === GLOBAL_ID ? 'diff/head.json' : `diff/${source}/head.json`);
  return path.endsWith('/latest.json') && address === path.replace('latest.json', 'head.json');
}

function isWhole(path: string, text: string): boolean {
  if (path.endsWith('.atom') || path.endsWith('.xml')) return text.trimEnd().endsWith('</feed>');
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
