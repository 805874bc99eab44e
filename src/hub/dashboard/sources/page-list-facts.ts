import type { CataloguedSection, LastChange } from '../../catalogue/catalogue.ts';
import { listSchema, objectSchema, WHOLE_SCHEMA } from '../view-schemas.ts';

export const PAGE_ORDERS = ['changed', 'address'] as const;

export interface PageListFacts {
  readonly id: string;
  readonly title: string;
  readonly order: (typeof PAGE_ORDERS)[number];
  readonly words?: string;
  readonly pages: readonly SourcePageLine[];
  /** The next `before`. Absent: there is nothing more. */
  readonly before?: number;
  readonly after?: string;
  /** The search had its bound before the list was full. */
  readonly isCut?: true;
  /** The one requested page. */
  readonly page?: PageSections;
}

export interface SourcePageLine {
  readonly url: string;
  readonly title?: string;
  /** How many the log has of it and its sections. */
  readonly changes?: number;
  readonly last?: LastChange;
  /** Absent if the hub does not read its pages. */
  readonly isHere?: boolean;
}

export interface PageSections {
  readonly url: string;
  readonly title?: string;
  readonly isHere?: boolean;
  readonly sections: readonly SourceSectionLine[];
  /** How many more there are. */
  readonly more: number;
}

export interface SourceSectionLine extends Pick<CataloguedSection, 'anchor' | 'heading'> {
  readonly last?: LastChange;
  readonly isHere?: boolean;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const last = objectSchema({
  seq: WHOLE_SCHEMA,
  id: text,
  time: { type: 'string', format: 'date-time' },
  action: { enum: ['create', 'update', 'delete'] },
});

export const PAGE_LIST_SCHEMA = objectSchema({
  id: text,
  title: text,
  order: { enum: PAGE_ORDERS },
  'words?': text,
  pages: listSchema(
    objectSchema({ url: text, 'title?': text, 'changes?': WHOLE_SCHEMA, 'last?': last, 'isHere?': flag }),
  ),
  'before?': WHOLE_SCHEMA,
  'after?': text,
  'isCut?': flag,
  'page?': objectSchema({
    url: text,
    'title?': text,
    'isHere?': flag,
    sections: listSchema(objectSchema({ anchor: text, 'heading?': text, 'last?': last, 'isHere?': flag })),
    more: WHOLE_SCHEMA,
  }),
});
