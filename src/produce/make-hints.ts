import { hash } from 'node:crypto';
import { countTokens } from '../extract/document/count-tokens.ts';
import type { Hints } from '../model/change.ts';
import type { Extensions } from '../model/extensions.ts';
import type { Page } from '../model/page.ts';
import type { SiteChange } from './site-source.ts';

/** Enough characters of the fingerprint to distinguish all chunks. */
const CHUNK_ID_CHARACTERS = 22;

/**
 * The hints of a change; undefined if no extension is on.
 *
 * `page` is the page after the change, absent on delete. `nonce` returns a text that was never returned before.
 */
export function makeHints(
  change: SiteChange,
  page: Page | undefined,
  { extensions, nonce }: { readonly extensions: Extensions; readonly nonce: () => string },
): Hints | undefined {
  const hints = { ...chunkHints(change, extensions), ...billingHints(change, page, extensions, nonce) };
  return Object.keys(hints).length === 0 ? undefined : hints;
}

function chunkHints({ url, anchor, checksum }: SiteChange, { chunkHints: wanted }: Extensions): Hints {
  if (wanted === undefined) return {};
  const boundary = anchor === undefined ? url : `${url}#${anchor}`;
  const chunkId = hash('sha256', boundary, 'base64url').slice(0, CHUNK_ID_CHARACTERS);
  return {
    chunk_id: chunkId,
    ...(anchor !== undefined && checksum !== undefined && { section_checksum: checksum }),
    ...(wanted.embedRef !== undefined && { embed_ref: wanted.embedRef.replaceAll('{chunk_id}', chunkId) }),
  };
}

function billingHints(
  { anchor }: SiteChange,
  page: Page | undefined,
  { billingHints: wanted }: Extensions,
  nonce: () => string,
): Hints {
  if (wanted === undefined) return {};
  const section = anchor === undefined ? undefined : page?.sections.find((one) => one.anchor === anchor);
  const text = (section ?? page)?.markdown ?? '';
  const size = wanted.unit === 'tokens' ? countTokens(text) : Buffer.byteLength(text);
  return { plan: wanted.plan, unit: wanted.unit, size, nonce: nonce() };
}
