import { concatBytes } from '../../src/codecs/primitives/bytes.ts';
import { encodeEntryBundle } from '../../src/codecs/tlog/entry-bundle.ts';
import { GrowingTree } from '../../src/codecs/tlog/growing-tree.ts';
import { encodeTilePath } from '../../src/codecs/tlog/tile-path.ts';
import { newBundles, newTiles } from '../../src/codecs/tlog/tiles-of-size.ts';
import { leafHash } from '../../src/codecs/tlog/tree-hash.ts';
import { sha256 } from '../../src/tlog/sha256.ts';
import type { TileSource } from '../../src/tlog/tile-source.ts';

/** The files of a log that a test grows: all that a publisher or a hub would serve. */
export class BuiltLog {
  readonly files = new Map<string, Uint8Array>();
  readonly entries: Uint8Array[] = [];
  readonly #tree = new GrowingTree(sha256);
  readonly #levels: Uint8Array[][] = [];

  get head() {
    return { treeSize: this.#tree.size, rootHash: this.#tree.root() };
  }

  /** Appends, and writes the files of the new size. */
  append(...entries: readonly (string | Uint8Array)[]): void {
    const before = this.#tree.size;
    for (const entry of entries) {
      const bytes = typeof entry === 'string' ? new TextEncoder().encode(entry) : entry;
      this.entries.push(bytes);
      for (const { level, hash } of this.#tree.append(leafHash(bytes, sha256))) {
        this.#levels[level] ??= [];
        this.#levels[level]?.push(hash);
      }
    }
    const slice = <T>(all: readonly T[], index: number, width: number) => all.slice(index * 256, index * 256 + width);
    for (const tile of newTiles(before, this.#tree.size)) {
      const hashes = slice(this.#levels[Number(tile.level)] ?? [], tile.index, tile.width);
      this.files.set(encodeTilePath(tile), concatBytes(...hashes));
    }
    for (const bundle of newBundles(before, this.#tree.size)) {
      this.files.set(encodeTilePath(bundle), encodeEntryBundle(slice(this.entries, bundle.index, bundle.width)));
    }
  }

  /** Its files, and which of them were requested. */
  source(): TileSource & { readonly asked: readonly string[] } {
    const asked: string[] = [];
    return {
      name: 'the built log',
      asked,
      read: async (path, maxBytes) => {
        asked.push(path);
        const bytes = this.files.get(path);
        if (bytes !== undefined && bytes.length > maxBytes) throw new Error(`${path} has more than ${maxBytes} bytes.`);
        return bytes;
      },
    };
  }
}
