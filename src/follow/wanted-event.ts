import type { FeedChange } from '../dialects/feed-change.ts';
import { decodeSectionsNote } from '../model/sections-note.ts';
import type { FollowRules, SectionRules } from './follow-rules.ts';
import { pageUrlOf } from './followed.ts';

/**
 * Whether the rules let an event through; undefined where only its page shows that. An endpoint is no page, and rules leave none out.
 *
 * An event about a whole page counts where it names a section that is wanted, or where one of the page was told of before.
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
  // Of sections without a name nobody can say that they are not wanted.
  return (noted?.more ?? 0) > 0 || [...names, ...renamed].some((name) => sections.wants(name));
}
