import { hashOfText } from '../../codecs/diffdelta/encode.ts';
import { GLOBAL_ID } from '../../codecs/diffdelta/wire.ts';
import type { PackedArchive, RunArchive } from '../../dialects/diffdelta/shelf/run-store.ts';
import { ByteCache } from '../../hub/http/byte-cache.ts';
import { othersFirst } from '../../log/others-first.ts';
import { archiveKey, archivePathOf, DIGIT_BYTES } from './archive-key.ts';
import { decodeEarlierDelta } from './earlier-delta.ts';
import { withHash, withoutHash } from './feed-hash.ts';
import { TextDelta } from './text-delta.ts';

/** Bodies by path, and how whole ones are packed. */
export interface ArchiveBodies {
  find(path: string): Uint8Array | undefined;
  pack(text: string): Uint8Array | Promise<Uint8Array>;
  unpack(body: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

interface OwnArchive {
  readonly text: string;
  readonly steps: number;
  readonly body: Uint8Array;
}

/** The first byte of an archive stored as a delta: neither JSON nor gzip begins with it. */
const DELTA_MARK = 0x04;
/** The first byte of deltas of format 3. */
const EARLIER_MARK = 0x01;
/** Finds moved parts of JSON: it is split before and after each object. */
const JSON_DELTA = new TextDelta({ before: '{', behind: '}' });
/** The mark, how many archives must be read before it, and its base. */
const BASE_AT = 2;
/** This many bytes of an archive are enough to know its base. */
export const BASE_END = BASE_AT + DIGIT_BYTES;
const GLOBAL_KEY = Buffer.from(GLOBAL_ID);
/** At most this many archives are read for a requested one. */
const MOST_STEPS = 200;
/** Larger texts are kept whole: what they have in common with others takes too long to find. */
const MOST_CHARACTERS = 256 * 1024;
/** One in this many texts is remembered while they are passed. */
const REMEMBERED_EVERY = 8;
const CACHE_BYTES = 4 * 1024 * 1024;
/**
 * The archives of DiffDelta, most of them as what sets them apart from the feed of all sources before them: one run changes
 * little in that feed, and is found in it whole. Every 200th is kept as it is.
 */
export class RunArchives {
  readonly #bodies: ArchiveBodies;
  /** Texts on the way to an older one: a reader that goes backwards needs them again. */
  readonly #passed = new ByteCache(CACHE_BYTES);
  /** The newest one of the feed of all sources that is stored. */
  #newest: { readonly path: string; readonly text: string; readonly steps: number } | undefined;
  /** What was packed here last, by path. */
  #packed = new Map<string, OwnArchive>();

  constructor(bodies: ArchiveBodies) {
    this.#bodies = bodies;
  }

  /** In the order of their bases. Nothing that is packed counts before {@link stored} is called. */
  async pack(archives: readonly RunArchive[]): Promise<PackedArchive[]> {
    const texts = new Map<string, OwnArchive>();
    const packed: PackedArchive[] = [];
    for (const { path, text, over } of archives) {
      const base = over === undefined ? undefined : (texts.get(over) ?? (await this.#baseOf(over)));
      const name = over === undefined ? undefined : baseName(over);
      const isTold = base !== undefined && name !== undefined && isNear(base, text);
      const steps = isTold ? base.steps + 1 : 0;
      const body = isTold
        ? Buffer.concat([
            Buffer.of(DELTA_MARK, steps),
            name,
            JSON_DELTA.encode(withoutHash(base.text), withoutHash(text)),
          ])
        : await this.#bodies.pack(text);
      texts.set(path, { text, steps, body });
      packed.push({ path, body });
      await othersFirst();
    }
    this.#packed = texts;
    return packed;
  }

  /** Says that these are in the store now. They may have been packed by another process. */
  stored(archives: readonly PackedArchive[]): void {
    const newest = archives.findLast(({ path }) => baseName(path) !== undefined);
    if (newest === undefined) return;
    const { path, body } = newest;
    const packed = this.#packed.get(path);
    const isOwn = packed !== undefined && Buffer.compare(packed.body, body) === 0;
    this.#newest = isOwn ? { path, text: packed.text, steps: packed.steps } : undefined;
    this.#packed = new Map();
  }

  /** Undefined if there is none. Throws if it is not the archived text. */
  async find(path: string): Promise<Uint8Array | undefined> {
    const body = this.#bodies.find(path);
    if (body === undefined) return undefined;
    if (!isDelta(body)) return this.#bodies.unpack(body);
    const found = await this.#textOf(path);
    if (found === undefined || !found.text.startsWith(`{"hash":"${hashOfText(found.text)}",`)) {
      throw new Error(`${path} is not what was archived.`);
    }
    return Buffer.from(found.text);
  }

  /** A damaged archive cannot be a base. */
  async #baseOf(path: string) {
    return await this.#textOf(path).catch(() => undefined);
  }

  async #textOf(path: string): Promise<{ readonly text: string; readonly steps: number } | undefined> {
    if (this.#newest?.path === path) return this.#newest;
    const deltas: { readonly path: string; readonly body: Uint8Array }[] = [];
    let at = path;
    let text: string | undefined;
    while (text === undefined) {
      const passed = this.#passed.get(at);
      const body = passed ?? this.#bodies.find(at);
      if (body === undefined) return undefined;
      if (passed === undefined && isDelta(body)) {
        deltas.push({ path: at, body });
        at = basePath(body);
      } else text = Buffer.from(passed ?? (await this.#bodies.unpack(body))).toString();
    }
    const steps = stepsOf(deltas[0]?.body ?? this.#bodies.find(path) ?? new Uint8Array());
    for (const [done, delta] of deltas.toReversed().entries()) {
      text = decodeOver(text, delta.body);
      if ((done + 1) % REMEMBERED_EVERY === 0) this.#passed.set(delta.path, Buffer.from(text));
      await othersFirst();
    }
    return { text, steps };
  }
}

function isDelta(body: Uint8Array): boolean {
  return body[0] === DELTA_MARK || body[0] === EARLIER_MARK;
}

function decodeOver(base: string, body: Uint8Array): string {
  const delta = body.subarray(BASE_END);
  if (body[0] === EARLIER_MARK) return decodeEarlierDelta(base, delta);
  return withHash(JSON_DELTA.decode(withoutHash(base), delta));
}

function isNear(base: { readonly text: string; readonly steps: number }, text: string): boolean {
  return base.steps < MOST_STEPS && base.text.length <= MOST_CHARACTERS && text.length <= MOST_CHARACTERS;
}

function stepsOf(body: Uint8Array): number {
  return isDelta(body) ? (body[1] ?? 0) : 0;
}

/** Undefined for an archive that is not of the feed of all sources: it is never a base. */
function baseName(path: string): Uint8Array | undefined {
  const key = archiveKey(path);
  return GLOBAL_KEY.equals(key.subarray(DIGIT_BYTES)) ? key.subarray(0, DIGIT_BYTES) : undefined;
}

function basePath(body: Uint8Array): string {
  return archivePathOf(Buffer.concat([body.subarray(BASE_AT, BASE_END), GLOBAL_KEY]));
}

/** The key of the base of an archive, from the beginning of its body; undefined if it is stored whole. */
export function baseKeyOf(body: Uint8Array): Uint8Array | undefined {
  return isDelta(body) ? body.subarray(BASE_AT, BASE_END) : undefined;
}
