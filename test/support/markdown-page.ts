import { headingSlug } from '../../scripts/heading-slug.mjs';

/** The link targets and the links of a page, without code. */
export interface MarkdownPage {
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
}

export function readMarkdown(text: string): MarkdownPage {
  const prose = withoutCode(text);
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|<(?:a|img)\b[^>]* (?:href|src)="([^"]+)"/g)];
  return { anchors: anchorsOf(text), links: links.map(([, link, attribute]) => link ?? attribute ?? '') };
}

/** Headings as git hosts name them: a second one of the same name gets `-1`. */
function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = new Set([...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id));
  for (const [, heading = ''] of withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = headingSlug(plainText(heading));
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

function plainText(heading: string): string {
  return heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
}

function withoutCode(text: string): string {
  return withoutFences(text).replaceAll(/(`+)(?:(?!\1).)+\1/g, '');
}

function withoutFences(text: string): string {
  return text.replaceAll(/^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2[ ]*$/gm, '');
}
