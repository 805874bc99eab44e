import type { FeedChange } from '../dialects/feed-change.ts';
import { decodeSectionsNote } from '../model/sections-note.ts';
import type { FollowRules, SectionRules } from './follow-rules.ts';
import { pageUrlOf } from './followed.ts';

/**
 * Whether the rules let an event through; undefined if only its page can show that. An endpoint is not a page, and rules leave none out.
 *
 * An event of a whole page passes if it names a wanted section, or if a wanted section of the page was reported before.
 */
export function isWantedEvent(
  event: FeedChange,
  rules: FollowRules | undefined,
  told: Iterable<string> = [],
): boolean | undefined {
  const { kind, anchor, action } = event;
  if (rules === undefined || kind === 'endpoint') return true;
  const page = pageUrlOf(event);
  if (!rules.accepts(page)) return false;
  const { sections } = rules;
  if (sections === undefined) return true;
  if (anchor !== undefined) return sections.wants(anchor);
  if (sections.wantsPages || namesWanted(event, sections)) return true;
  for (const boundary of told) if (sections.wants(boundary.slice(page.length + 1))) return true;
  return action === 'delete' ? false : sections.wantsPages;
}

const RENAMED = /^anchor-renamed: (\S+) -> (\S+)$/;

function namesWanted({ note = '' }: FeedChange, sections: SectionRules): boolean {
  const noted = decodeSectionsNote(note);
  const names = noted === undefined ? [] : [...noted.changed, ...noted.added, ...noted.removed];
  const renamed = note.split('; ').flatMap((part) => RENAMED.exec(part)?.slice(1) ?? []);
  // Unnamed sections may be wanted.
  return (noted?.more ?? 0) > 0 || [...names, ...renamed].some((name) => sections.wants(name));
}
