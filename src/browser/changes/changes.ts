/** What pages of changes do beyond being read. Without it they show everything, in UTC. */
import { showLocalTimes } from '../local-times.ts';
import { filterByPath } from './filter-by-path.ts';

showLocalTimes(document);
filterByPath(document);
