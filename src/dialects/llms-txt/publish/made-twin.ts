import { hash } from 'node:crypto';
import { excerptOf } from '../../../extract/excerpt.ts';
import type { PageRecord } from '../../../log/pages-file.ts';
import type { Page } from '../../../model/page.ts';
import type { ProjectionTools } from '../../projection.ts';
import { twinText } from './twin.ts';
import type { KnownTwin } from './twin-memory.ts';

/** A twin that was made just now. */
export interface MadeTwin extends Omit<KnownTwin, 'bytes'> {
  readonly text: Uint8Array;
}

/** `file` is the hash of the file that the page was read from. */
export function madeTwin(page: Page, file: string): MadeTwin {
  const { url, title, markdown } = page;
  return { url, file, title, excerpt: excerptOf(markdown) ?? '', text: Buffer.from(twinText(page)) };
}

/** The twin of an unchanged page, if none is remembered. Undefined if the page is not available as its record describes it. */
export async function readTwin(
  { url, file }: PageRecord,
  { readPage, rules }: ProjectionTools,
): Promise<MadeTwin | undefined> {
  const bytes = readPage?.(url);
  if (bytes === undefined || hash('sha256', bytes, 'base64url') !== file) return undefined;
  // Loaded on demand, because mostly nothing is read again.
  const { decodeHtml } = await import('../../../extract/decode-html.ts');
  const { extractPage } = await import('../../../extract/extract-page.ts');
  const html = decodeHtml(bytes);
  return html.ok ? madeTwin(extractPage(html.value, url, rules), file) : undefined;
}
