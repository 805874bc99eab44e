import type { Catalogue } from '../hub/catalogue/catalogue.ts';
import { changeView } from '../hub/dashboard/changes/change-view.ts';
import { timelineView } from '../hub/dashboard/timeline/timeline-view.ts';
import type { AnyView } from '../hub/dashboard/view.ts';
import type { Sweeper } from '../hub/retention/sweep.ts';
import type { HubShelves } from '../hub/shelves/hub-shelves.ts';
import type { HubStore } from '../hub/store/hub-store.ts';
import type { Watch } from '../hub/watch/watch-port.ts';

/** What the pages about changes need. */
export interface ChangePageParts {
  readonly store: HubStore;
  readonly watch: Pick<Watch, 'source'>;
  readonly catalogue: Pick<Catalogue, 'timeline' | 'standing'>;
  readonly shelves: Pick<HubShelves, 'eventsOf'>;
  readonly sweeper: Pick<Sweeper, 'archives'>;
}

/** The page of a change, and the page with all versions of its subject. */
export function changeViews(parts: ChangePageParts): readonly AnyView[] {
  return [changeView({ ...parts, archives: parts.sweeper.archives }), timelineView(parts)];
}
