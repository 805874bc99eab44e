/**
 * llms.txt: what a site holds, as Markdown for language models.
 *
 *     # Docs
 *
 *     > How to use the product.
 *
 *     Each page is also there as Markdown.
 *
 *     ## guides
 *
 *     - [First steps](https://docs.example/guides/first.html.md): Install it, then say hello.
 *
 * Spec: https://llmstxt.org. Its own small parser is stricter than its text: one line of summary, text after it, unique section names,
 * no brackets in titles, no parentheses in addresses. Our output satisfies both.
 */
export interface LlmsTxt {
  readonly title: string;
  readonly summary: string;
  /** A sentence on how to use the list. */
  readonly text: string;
  readonly sections: readonly LlmsSection[];
}

export interface LlmsSection {
  readonly name: string;
  readonly links: readonly LlmsLink[];
}

export interface LlmsLink {
  readonly title: string;
  readonly url: string;
  readonly note?: string | undefined;
}

export function encodeLlmsTxt({ title, summary, text, sections }: LlmsTxt): string {
  const parts = [`# ${line(title)}`, `> ${line(summary)}`, line(text)];
  const names = new Set<string>();
  for (const { name, links } of sections) {
    if (links.length === 0) continue;
    parts.push(`## ${uniqueName(line(name), names)}`, links.map(encodeLlmsLink).join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

/** A line of a list, without its line end. */
export function encodeLlmsLink({ title, url, note = '' }: LlmsLink): string {
  const name = line(title).replace(/[[\]]/g, (bracket) => (bracket === '[' ? '(' : ')'));
  const address = url.replace(/[\s()<>]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const told = line(note);
  return `- [${name || address}](${address})${told === '' ? '' : `: ${told}`}`;
}

/** Readers may skip a section "Optional", and keep only the last of two sections with the same name. */
function uniqueName(wanted: string, taken: Set<string>): string {
  const base = wanted === '' || wanted === 'Optional' ? `${wanted} pages`.trim() : wanted;
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base} ${number}`;
  taken.add(name);
  return name;
}

/** One line in which nothing begins a heading or a list. */
function line(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
