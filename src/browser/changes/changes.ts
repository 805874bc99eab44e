/** Adds behaviour to pages of changes. Without it they show everything, in UTC. */
import { showLocalTimes } from '../local-times.ts';
import { filterByPath } from './filter-by-path.ts';

showLocalTimes(document);
filterByPath(document);
