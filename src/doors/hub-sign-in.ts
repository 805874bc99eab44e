import type { HubConfig } from '../hub/config/hub-config.ts';
import type { Framer } from '../hub/dashboard/page-frame.ts';
import { signInRoutes } from '../hub/dashboard/sign-in/sign-in-routes.ts';
import { isToken } from '../hub/http/admin-token.ts';
import type { Route } from '../hub/http/route.ts';
import { createRateLimiter } from '../hub/keys/rate-limiter.ts';
import { adminRoutes } from '../hub/routes/admin-routes.ts';
import { AdminLog } from '../hub/sign-in/admin-log.ts';
import { groundOf } from '../hub/sign-in/ground.ts';
import { HubCookie } from '../hub/sign-in/hub-cookie.ts';
import { Sessions } from '../hub/sign-in/sessions.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { randomSecretBytes } from '../io/node/random-token.ts';
import { repeat } from '../io/node/timer-alarm.ts';
import { openSqliteAdminLog } from '../io/sqlite/admin-log.ts';
import type { SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { openSqliteSessions } from '../io/sqlite/sessions.ts';
import type { Endings } from './endings.ts';

export interface HubSignInParts {
  readonly config: HubConfig;
  readonly store: Pick<SqliteHubStore, 'openTables'>;
  /** Which log it is: sessions of a backup that is restored count no more. */
  readonly epoch: string | undefined;
  /** The hash of the hub's token. */
  readonly adminHash: string;
  readonly hubId: string;
  readonly baseUrl: () => string;
  readonly logger: HubLogger;
  readonly endings: Endings;
}

/** Who is signed in to a hub, and the pages by which that is done. */
export interface HubSignIn {
  readonly sessions: Sessions;
  /** What was done, and by whom. */
  readonly log: AdminLog;
  /** Of the API. */
  readonly api: readonly Route[];
  /** Of the pages. */
  routes(frame: Framer): Route[];
}

const FLUSH_EVERY_MS = 60_000;
const SECRET_BYTES = 32;

export function hubSignIn(parts: HubSignInParts): HubSignIn {
  const { config, store, epoch, adminHash, logger, endings, baseUrl } = parts;
  const sessionCookie = new HubCookie('session', parts);
  const tokenGround = groundOf(['token', adminHash, epoch]);
  const sessions = new Sessions({
    ...config.signIn,
    store: store.openTables(openSqliteSessions),
    cookie: sessionCookie,
    roleNow: ({ ground, role }) => (ground === tokenGround ? role : undefined),
    now: Date.now,
    random: randomSecretBytes,
    onProblem: (error) => logger.warn({ error }, 'Who is signed in could not be written down; it is tried again'),
  });
  const log = openLog(parts);
  const flush = () => {
    sessions.flush();
    log.settle();
  };
  endings.add(flush);
  endings.add(repeat(FLUSH_EVERY_MS, async () => flush()));
  const secret = randomSecretBytes(SECRET_BYTES);
  const routes = (frame: Framer) =>
    signInRoutes({
      sessions,
      log,
      frame,
      sessionCookie,
      visitCookie: new HubCookie('visit', parts),
      secret,
      limiter: createRateLimiter({ now: Date.now }),
      isToken: (token) => isToken(adminHash, token),
      tokenGround,
      random: randomSecretBytes,
      baseUrl,
    });
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
