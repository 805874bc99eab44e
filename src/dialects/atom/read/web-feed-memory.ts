import type { KnownItem } from '../../feed-change.ts';
import type { Remembered } from '../../reader.ts';
import { type ItemSketch, isSameReading } from './web-feed-item.ts';

/** How an item compares with what is remembered. */
export interface ItemVerdict {
  readonly is: 'same' | 'new' | 'changed';
  /** The key of its memory: its own, or that of the item it replaces. */
  readonly key: string;
}

interface PageItems {
  readonly keyOfVersion: Map<string, string>;
  readonly keys: Set<string>;
}

/** More items at one address than any real feed has. */
const MAX_ON_PAGE = 1000;

/**
 * What is remembered of the items of one feed, plus what this reading has learned.
 *
 * Some feeds give their items new ids each time. An item with the same text at the same address is the same item. If its text
 * differs, and no other item of the feed is at that address, it is the same item, changed.
 */
export class WebFeedMemory {
  /** What is to be remembered. */
  readonly learned = new Map<string, KnownItem>();
  readonly #remembered: Pick<Remembered, 'itemsAmong' | 'liveItemsOn'>;
  readonly #entry: string;
  readonly #items = new Map<string, KnownItem>();
  readonly #pages = new Map<string, PageItems>();
  /** The keys of items that are in the feed now. */
  readonly #present = new Set<string>();

  constructor(remembered: Pick<Remembered, 'itemsAmong' | 'liveItemsOn'>, entry: string) {
    this.#remembered = remembered;
    this.#entry = entry;
  }

  /** The keys of items that were reported before, under whatever id. Call it for all items before they are judged. */
  async knownAmong(sketches: readonly ItemSketch[]): Promise<ReadonlySet<string>> {
    const keys = sketches.map(({ key }) => key);
    for (const [key, item] of await this.#remembered.itemsAmong(this.#entry, keys)) this.#items.set(key, item);
    for (const key of keys) this.#present.add(key);
    const known = new Set<string>();
    for (const sketch of sketches) {
      const own = this.#live(sketch.key);
      const twin = own === undefined ? await this.#twinOf(sketch) : undefined;
      if (twin !== undefined) this.#present.add(twin);
      if (own !== undefined || twin !== undefined) known.add(sketch.key);
    }
    return known;
  }

  async judge(sketch: ItemSketch): Promise<ItemVerdict> {
    const { key, version } = sketch;
    const known = this.#live(key);
    if (known?.version === version) return { is: 'same', key };
    if (known !== undefined && !isSameReading(known.version, version)) {
      await this.#itemsOn(sketch.page);
      this.#learn(sketch, key);
      return { is: 'same', key };
    }
    const twin = await this.#twinOf(sketch);
    if (twin !== undefined) {
      // Kept under both ids only if both exist: otherwise ids that are new each time would pile up.
      if (known !== undefined) this.#learn(sketch, key);
      return { is: 'same', key: known === undefined ? twin : key };
    }
    const predecessor = known === undefined ? await this.#predecessorOf(sketch) : key;
    this.#learn(sketch, predecessor ?? key);
    return { is: predecessor === undefined ? 'new' : 'changed', key: predecessor ?? key };
  }

  /** Marks it as removed. Undefined if it was not known. */
  async remove(key: string): Promise<KnownItem | undefined> {
    const known = this.#live(key) ?? (await this.#remembered.itemsAmong(this.#entry, [key])).get(key);
    if (known === undefined || known.isRemoved) return undefined;
    const removed = { ...known, isRemoved: true };
    this.#items.set(key, removed);
    this.learned.set(key, removed);
    return removed;
  }

  #live(key: string): KnownItem | undefined {
    const item = this.#items.get(key);
    return item?.isRemoved ? undefined : item;
  }

  /** An item with another id, but the same text at the same address. */
  async #twinOf({ page, version, key }: ItemSketch): Promise<string | undefined> {
    const twin = (await this.#itemsOn(page)).keyOfVersion.get(version);
    return twin === key ? undefined : twin;
  }

  async #predecessorOf({ page, hasOwnUrl }: ItemSketch): Promise<string | undefined> {
    if (!hasOwnUrl) return undefined;
    const { keys } = await this.#itemsOn(page);
    for (const key of keys) if (!this.#present.has(key)) return key;
    return undefined;
  }

  #learn({ page, version }: ItemSketch, key: string): void {
    const before = this.#items.get(key);
    const around = before && this.#pages.get(before.page)?.keyOfVersion;
    if (around?.get(before?.version ?? '') === key) around.delete(before?.version ?? '');
    const item = { key, page, version, isRemoved: false };
    this.#items.set(key, item);
    this.learned.set(key, item);
    this.#present.add(key);
    const here = this.#pages.get(page);
    here?.keyOfVersion.set(version, key);
    here?.keys.add(key);
  }

  async #itemsOn(page: string): Promise<PageItems> {
    const loaded = this.#pages.get(page);
    if (loaded !== undefined) return loaded;
    const keys = await this.#remembered.liveItemsOn([this.#entry], page, MAX_ON_PAGE);
    const found = await this.#remembered.itemsAmong(this.#entry, keys);
    const items = { keyOfVersion: new Map<string, string>(), keys: new Set<string>() };
    for (const [key, item] of found) {
      const current = this.#items.get(key) ?? item;
      if (current.isRemoved || current.page !== page) continue;
      this.#items.set(key, current);
      items.keyOfVersion.set(current.version, key);
      items.keys.add(key);
    }
    this.#pages.set(page, items);
    return items;
  }
}
