import { hash } from 'node:crypto';
import { type CutOptions, cutBlock } from './cut-block.ts';
import { groupUnits, type Unit } from './group-units.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import type { Chunk } from './sink.ts';

export interface ChunkSettings {
  /** The approximate number of tokens of a chunk. Default: 400. */
  readonly targetTokens: number;
  /** The maximum number of tokens. Default: 800. */
  readonly maxTokens: number;
}

/** Raise this whenever the same section could give other chunks: then all of them are rebuilt. */
export const CHUNKER_VERSION = '1';
export const CHUNK_SETTINGS: ChunkSettings = { targetTokens: 400, maxTokens: 800 };

/** A section to be split. */
export interface ChunkedSection {
  readonly url: string;
  readonly anchor: string;
  /** With its heading line, if it has one. */
  readonly markdown: string;
}

export interface ChunkOptions extends ChunkSettings {
  readonly countTokens: (text: string) => number;
  /** That of the pipeline. */
  readonly fingerprint: string;
}

/**
 * The chunks of a section, in order. Code and tables stay whole if they fit. From the second one on, each begins with the heading of the section:
 * only its own, so that a heading that changes elsewhere changes no chunk here.
 *
 * @example
 * chunkSection({ url, anchor: 'limits', markdown: '## Limits\n\nAsk for more.' }, options); // [{ id: '…', position: 0, text: '## Limits\n\nAsk for
 * more.', … }]
 */
export function chunkSection(section: ChunkedSection, options: ChunkOptions): readonly Chunk[] {
  const { countTokens, fingerprint, targetTokens, maxTokens } = options;
  const [first, ...others] = markdownBlocks(section.markdown);
  if (first === undefined) return [];
  const heading = /^#{1,6} /.test(first.text) ? first : undefined;
  const headingTokens = heading === undefined ? 0 : countTokens(heading.text) + HEADING_END;
  // A very long heading is not repeated.
  const isRepeated = heading !== undefined && headingTokens <= maxTokens / 4;
  const most = isRepeated ? maxTokens - headingTokens : maxTokens;
  const cut: CutOptions = { target: Math.min(targetTokens, most), most, countTokens };
  const blocks = isRepeated ? others : [first, ...others];
  const units = blocks.flatMap((block) => cutBlock(block, cut));
  const groups = groupUnits(units, cut);
  const texts = groups.length === 0 ? [''] : groups.map(textOf);
  const prefix = isRepeated ? [heading.text] : [];
  return named(
    section,
    texts.map((text) => [...prefix, ...(text === '' ? [] : [text])].join('\n\n')),
  ).map(({ id, text }, position) => ({ id, position, text, tokens: countTokens(text), fingerprint }));
}

const HEADING_END = 2;

function textOf(group: readonly Unit[]): string {
  return group.map(({ text }) => text).join('\n\n');
}

function named(
  { url, anchor }: ChunkedSection,
  texts: readonly string[],
): readonly { readonly id: string; readonly text: string }[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const nth = seen.get(text) ?? 0;
    seen.set(text, nth + 1);
    return { id: hash('sha256', JSON.stringify([url, anchor, text, nth]), 'hex').slice(0, ID_LENGTH), text };
  });
}

/** 128 bits: no two chunks of an index share one. */
const ID_LENGTH = 32;
