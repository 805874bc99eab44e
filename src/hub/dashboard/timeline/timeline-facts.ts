import type { ChangeLine } from '../changes/change-line.ts';
import { TEXT_FACTS_SCHEMA, type TextFacts } from '../changes/text-facts.ts';
import { CHANGE_LINE_FIELDS, CHANGE_LINE_SCHEMA, listSchema, objectSchema, WHOLE_SCHEMA } from '../view-schemas.ts';

/** All versions of a page or of one of its sections. */
export interface TimelineFacts {
  readonly source: string;
  readonly url: string;
  readonly anchor?: string;
  /** The page, or the section of it. */
  readonly boundary: string;
  /** Newest first. */
  readonly versions: readonly VersionLine[];
  /** The next `before`. Absent: there is nothing more. */
  readonly older?: number;
  readonly compared?: ComparedVersions;
  /** How many changes of the log are not looked through yet. Absent: none. */
  readonly behind?: number;
}

export interface VersionLine extends ChangeLine {
  readonly seq: number;
  readonly note?: string;
  /** The former name of the section, if this change renamed it. */
  readonly formerAnchor?: string;
}

export interface ComparedVersions {
  /** The older one. */
  readonly a: ChangeLine;
  readonly b: ChangeLine;
  readonly text: TextFacts;
}

const text = { type: 'string' } as const;

export const TIMELINE_SCHEMA = objectSchema({
  source: text,
  url: text,
  'anchor?': text,
  boundary: text,
  versions: listSchema(
    objectSchema({ ...CHANGE_LINE_FIELDS, seq: WHOLE_SCHEMA, 'note?': text, 'formerAnchor?': text }),
  ),
  'older?': { ...WHOLE_SCHEMA, description: 'Pass it as before to continue.' },
  'behind?': { ...WHOLE_SCHEMA, description: 'Number of changes in the log that are not indexed yet.' },
  'compared?': objectSchema({ a: CHANGE_LINE_SCHEMA, b: CHANGE_LINE_SCHEMA, text: TEXT_FACTS_SCHEMA }),
});
