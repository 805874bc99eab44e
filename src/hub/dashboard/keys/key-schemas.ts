import { listSchema, objectSchema, WHOLE_SCHEMA } from '../view-schemas.ts';

/** Days in UTC, oldest first. */
export const DAYS_SCHEMA = listSchema(
  objectSchema({ date: { type: 'string', format: 'date' }, requests: WHOLE_SCHEMA, refused: WHOLE_SCHEMA }),
);
