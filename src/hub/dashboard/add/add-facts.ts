import type { SourcePreview } from '../../preview/source-preview.ts';
import { objectSchema } from '../view-schemas.ts';

export interface AddFacts {
  /** The requested address. */
  readonly url?: string;
  /** Absent if nothing was requested, or if the address itself is refused. */
  readonly preview?: SourcePreview;
  /** Why the address is refused. */
  readonly problem?: string;
}

export const ADD_SCHEMA = objectSchema({
  'url?': { type: 'string' },
  'preview?': { $ref: '#/components/schemas/SourcePreview' },
  'problem?': { type: 'string' },
});
