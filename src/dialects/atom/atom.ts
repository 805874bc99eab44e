import type { Dialect } from '../dialect.ts';

export const ATOM: Dialect = {
  name: 'atom',
};
