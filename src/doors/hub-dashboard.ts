import type { RequestJournal } from '../fetch/request-journal.ts';
import type { Catalogue } from '../hub/catalogue/catalogue.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { ADD_FORMS } from '../hub/dashboard/add/add-forms.ts';
import { addView } from '../hub/dashboard/add/add-view.ts';
import { type Asset, assetOf } from '../hub/dashboard/assets.ts';
import { botPageView } from '../hub/dashboard/bot/bot-page.ts';
import { checkBadgeRoute } from '../hub/dashboard/check/badge-route.ts';
import { checkPageView } from '../hub/dashboard/check/check-page.ts';
import { FOLLOW_FORM, followPageView } from '../hub/dashboard/follow/follow-page.ts';
import { doneWords, type Form, formRoutes } from '../hub/dashboard/form.ts';
import { lostRoute } from '../hub/dashboard/lost-page.ts';
import { overviewView } from '../hub/dashboard/overview/overview.ts';
import { OWNER_FORMS } from '../hub/dashboard/owners/owner-forms.ts';
import { ownersPageView } from '../hub/dashboard/owners/owners-page.ts';
import { createFramer } from '../hub/dashboard/page-frame.ts';
import type { PageSearch } from '../hub/dashboard/search/search-facts.ts';
import { searchView } from '../hub/dashboard/search/search-page.ts';
import { SIGN_IN_WORDS } from '../hub/dashboard/sign-in/sign-in-routes.ts';
import { type PageListParts, pageListView } from '../hub/dashboard/sources/page-list.ts';
import type { SourcePageParts } from '../hub/dashboard/sources/read-source.ts';
import { SOURCE_FORMS } from '../hub/dashboard/sources/source-actions.ts';
import { sourceEditView } from '../hub/dashboard/sources/source-edit.ts';
import { sourceListView } from '../hub/dashboard/sources/source-list.ts';
import { sourcePageView } from '../hub/dashboard/sources/source-page.ts';
import { verifyPageView } from '../hub/dashboard/verify/verify-page.ts';
import { type AnyView, viewRoutes } from '../hub/dashboard/view.ts';
import type { Route } from '../hub/http/route.ts';
import type { JobBoard } from '../hub/jobs/job-board.ts';
import type { KeyRing } from '../hub/keys/key-ring.ts';
import type { Previewer } from '../hub/preview/previewer.ts';
import type { HubShelves } from '../hub/shelves/hub-shelves.ts';
import { withDomains } from '../hub/sign-in/viewer.ts';
import type { WatchedSiteChecks } from '../hub/site-checks/site-checks.ts';
import type { HubNews } from '../hub/watch/news.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import { readPackageAsset } from '../io/node/package-assets.ts';
import { gzipSmall } from '../io/zlib/document.ts';
import { type ChangePageParts, changeViews } from './hub-change-pages.ts';
import { OPERATE_FORMS, type OperateParts, operateViews } from './hub-operate-pages.ts';
import type { SelfService } from './hub-self-service.ts';
import type { HubSignIn } from './hub-sign-in.ts';

/** What the pages need. */
export interface DashboardParts extends OperateParts, ChangePageParts, Pick<SourcePageParts, 'webSubOf'> {
  readonly keys: KeyRing;
  readonly store: ChangePageParts['store'] & PageListParts['store'];
  readonly watch: Watch;
  readonly news: HubNews;
  /** The latest requests to hosts. */
  readonly journal: RequestJournal;
  readonly config: HubConfig;
  /** The requests of strangers. */
  readonly selfService: SelfService;
  readonly shelves: Pick<HubShelves, 'links' | 'feedsOf' | 'eventsOf' | 'changeLists'>;
  /** Answers questions about more of the log than its newest changes. */
  readonly catalogue: Catalogue;
  /** Searches the current texts of pages. */
  readonly searchPages: PageSearch;
  /** Tells who is looking. */
  readonly signIn: HubSignIn;
  readonly previewer: Previewer;
  readonly checks: WatchedSiteChecks;
  /** The running jobs that take a while. */
  readonly jobs: JobBoard;
  /** Where readers find the hub, with a final slash. Known once it listens. */
  readonly baseUrl: () => string;
}

/** The pages for people. Each page is a line of `viewsOf`, each button one of `FORMS`. */
export function dashboardRoutes(parts: DashboardParts, routes: () => readonly Route[]): Route[] {
  const style = packageAsset('dashboard.css', 'text/css; charset=utf-8');
  const script = packageAsset('dashboard.js', 'text/javascript; charset=utf-8');
  const icon = packageAsset('icon.svg', 'image/svg+xml');
  const verifier = {
    style: packageAsset('verify.css', 'text/css; charset=utf-8'),
    script: packageAsset('verify.js', 'text/javascript; charset=utf-8'),
  };
  const { signIn, baseUrl } = parts;
  const { claims } = parts.selfService.owners;
  const viewers = withDomains(signIn.sessions, (request) => claims.domainsOf(claims.visitorOf(request)));
  const frame = createFramer({
    style: style.path,
    script: script.path,
    icon: icon.path,
    doneWords: { ...doneWords(FORMS), ...SIGN_IN_WORDS },
    takesRequests: parts.config.selfService.enabled,
    canSignIn: true,
  });
  return [
    style.route,
    script.route,
    icon.route,
    verifier.style.route,
    verifier.script.route,
    ...viewRoutes([...viewsOf(parts), verifyPageView(pathsOf(verifier))], { viewers, frame, gzip: gzipSmall }),
    checkBadgeRoute(parts.checks),
    ...formRoutes(FORMS, { viewers, frame, routes, baseUrl }),
    ...signIn.routes(frame),
    lostRoute({ viewers, frame }),
  ];
}

const FORMS: readonly Form[] = [...SOURCE_FORMS, ...OPERATE_FORMS, ...ADD_FORMS, FOLLOW_FORM, ...OWNER_FORMS];

function viewsOf(parts: DashboardParts): readonly AnyView[] {
  const { watch, news, shelves } = parts;
  const now = Date.now;
  return [
    overviewView({ ...parts, recentChanges: news.recent, links: () => shelves.links(), now }),
    sourceListView({ watch, now }),
    sourcePageView({ ...parts, now }),
    searchView({ ...parts, changeLists: () => shelves.changeLists() }),
    ...changeViews(parts),
    botPageView(parts),
    ...operateViews(parts, now),
    addView(parts.previewer),
    checkPageView(parts.checks),
    ownersPageView({ ...parts, ...parts.selfService.owners, now }),
    followPageView({ ...parts.selfService, settings: parts.config.selfService, now }),
    sourceEditView({ watch }),
    pageListView(parts),
  ];
}

function pathsOf({ style, script }: { readonly style: Asset; readonly script: Asset }) {
  return { style: style.path, script: script.path };
}

function packageAsset(file: string, mediaType: string): Asset {
  return assetOf(file, { mediaType, bytes: readPackageAsset(file), gzip: gzipSmall });
}
