import { sectionName } from '../../../codecs/aicf/boundary.ts';
import type { DecodedItem } from '../../../codecs/diffdelta/decode-item.ts';
import { isRecord } from '../../../codecs/primitives/json-record.ts';
import type { Action } from '../../../model/change.ts';

/** A section of the page of an item, and what happened to it. */
export interface ChangedSection {
  readonly anchor: string;
  readonly anchorIs?: 'key';
  readonly action: Action;
  readonly checksum?: string;
  readonly excerpt?: string;
}

const MAX_SECTIONS = 1000;
const MAX_ANCHOR = 512;
const CHECKSUM = /^sha256:[0-9a-f]{64}$/;

/**
 * The sections of a page that changed since the previous revision, each once, if nothing else changed:
 *
 *     "content": { "sections": [{ "anchor": "tiers", "action": "update", "checksum": "sha256:…", "excerpt_text": "…" }] }
 *
 * Undefined if the item does not list them, or not reliably: then the whole page counts as changed.
 */
export function sectionsOf({ content, provenance }: DecodedItem): readonly ChangedSection[] | undefined {
  const { sections: named } = content;
  if (!Array.isArray(named) || named.length === 0 || named.length > MAX_SECTIONS) return undefined;
  if (provenance.revision === undefined) return undefined;
  const sections = named.flatMap((section: unknown) => decodeSection(section) ?? []);
  const anchors = new Set(sections.map(({ anchor }) => anchor));
  return anchors.size === named.length ? sections : undefined;
}

function decodeSection(value: unknown): ChangedSection | undefined {
  if (!isRecord(value)) return undefined;
  const { action, checksum, excerpt_text: excerpt } = value;
  if (typeof value.anchor !== 'string' || value.anchor.length > MAX_ANCHOR) return undefined;
  const anchor = sectionName(value.anchor.toWellFormed());
  if (anchor === undefined || !isAction(action)) return undefined;
  return {
    anchor,
    ...(value.anchorIs === 'key' && { anchorIs: 'key' as const }),
    action,
    ...(isChecksum(checksum) && { checksum }),
    ...(typeof excerpt === 'string' && excerpt !== '' && { excerpt: excerpt.toWellFormed() }),
  };
}

export function isChecksum(value: unknown): value is string {
  return typeof value === 'string' && CHECKSUM.test(value);
}

function isAction(value: unknown): value is Action {
  return value === 'create' || value === 'update' || value === 'delete';
}
