import type { Framer } from '../hub/dashboard/page-frame.ts';
import { oidcRoutes } from '../hub/dashboard/sign-in/oidc-routes.ts';
import { signInRoutes } from '../hub/dashboard/sign-in/sign-in-routes.ts';
import { isToken } from '../hub/http/admin-token.ts';
import type { Route } from '../hub/http/route.ts';
import { adminRoutes } from '../hub/routes/admin-routes.ts';
import { AdminLog } from '../hub/sign-in/admin-log.ts';
import { groundOf } from '../hub/sign-in/ground.ts';
import { HubCookie } from '../hub/sign-in/hub-cookie.ts';
import { Sessions } from '../hub/sign-in/sessions.ts';
import { signInSecret } from '../hub/sign-in/sign-in-secret.ts';
import { randomSecretBytes } from '../io/node/random-token.ts';
import { repeat } from '../io/node/timer-alarm.ts';
import { openSqliteAdminLog } from '../io/sqlite/admin-log.ts';
import { openSqliteSessions } from '../io/sqlite/sessions.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import { openTeam, type TeamParts } from './open-team.ts';

export interface HubSignInParts extends Omit<TeamParts, 'visitKey'> {
  readonly store: Pick<WholeHubStore, 'openTables'>;
  /** The hash of the hub's token. */
  readonly adminHash: string;
  /** For a hub that runs in several processes. */
  readonly cluster?: object | undefined;
}

/** Who is signed in to a hub, and the pages for signing in. */
export interface HubSignIn {
  readonly sessions: Sessions;
  /** The log of who did what. */
  readonly log: AdminLog;
  /** The routes of the API. */
  readonly api: readonly Route[];
  /** The routes of the pages. */
  routes(frame: Framer): Route[];
}

const FLUSH_EVERY_MS = 60_000;
const SECRET_BYTES = 32;

export async function hubSignIn(parts: HubSignInParts): Promise<HubSignIn> {
  const { config, store, epoch, adminHash, logger, endings, baseUrl } = parts;
  const sessionCookie = new HubCookie('session', parts);
  const tokenGround = groundOf(['token', adminHash, epoch]);
  const visitKey = parts.cluster === undefined ? randomSecretBytes(SECRET_BYTES) : signInSecret(adminHash, 'visit');
  const team = await openTeam({ ...parts, visitKey });
  const sessions = new Sessions({
    ...config.signIn,
    store: store.openTables(openSqliteSessions),
    cookie: sessionCookie,
    roleNow: (session) => (session.ground === tokenGround ? session.role : team?.roleNow(session)),
    now: Date.now,
    random: randomSecretBytes,
    onProblem: (error) => logger.warn({ error }, 'Who is signed in could not be written down; it is tried again'),
  });
  const log = openLog(parts);
  const flush = async () => {
    await sessions.flush();
    await log.settle();
  };
  endings.add(flush);
  endings.add(repeat(FLUSH_EVERY_MS, flush));
  const secret = parts.cluster === undefined ? randomSecretBytes(SECRET_BYTES) : signInSecret(adminHash, 'form');
  const limiter = parts.makeLimiter('sign-in', { now: Date.now });
  const routes = (frame: Framer) => [
    ...signInRoutes({
      sessions,
      log,
      frame,
      sessionCookie,
      visitCookie: new HubCookie('visit', parts),
      secret,
      limiter,
      isToken: (token) => isToken(adminHash, token),
      tokenGround,
      random: randomSecretBytes,
      provider: team?.name,
      baseUrl,
    }),
    ...(team === undefined ? [] : oidcRoutes({ ...team, sessions, log, frame, baseUrl })),
  ];
  return { sessions, log, api: adminRoutes({ log, sessions }), routes };
}

function openLog({ store, logger }: HubSignInParts): AdminLog {
  return new AdminLog({
    store: store.openTables((opened) => openSqliteAdminLog(opened)),
    now: Date.now,
    onProblem(error, { who, action, on }) {
      logger.warn({ error, who, action, on }, 'An admin action could not be written down');
    },
  });
}
