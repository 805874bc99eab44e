import type { HubConfig } from '../hub/config/hub-config.ts';
import type { OidcParts } from '../hub/dashboard/sign-in/oidc-routes.ts';
import type { MakeLimiter } from '../hub/keys/rate-limiter.ts';
import { groundOf } from '../hub/sign-in/ground.ts';
import { HubCookie } from '../hub/sign-in/hub-cookie.ts';
import { roleByGroups } from '../hub/sign-in/oidc-roles.ts';
import { SealedVisits } from '../hub/sign-in/sealed-visit.ts';
import type { Session } from '../hub/sign-in/session.ts';
import type { Role } from '../hub/sign-in/viewer.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { randomSecretBytes } from '../io/node/random-token.ts';
import type { Endings } from './endings.ts';
import { openGuarded } from './open-http.ts';

export interface TeamParts {
  readonly config: HubConfig;
  /** The epoch of the log: sessions from before a restored backup are no longer valid. */
  readonly epoch: string | undefined;
  readonly hubId: string;
  readonly baseUrl: () => string;
  readonly logger: HubLogger;
  readonly endings: Endings;
  readonly makeLimiter: MakeLimiter;
  /** The client secret of this hub at the provider. */
  readonly oidcSecret?: string | undefined;
  /** The key that seals sign-ins in progress. */
  readonly visitKey: Uint8Array;
}

/** The OpenID provider at which a team signs in. */
export interface Team extends Omit<OidcParts, 'sessions' | 'log' | 'frame' | 'baseUrl'> {
  /** Its name on pages. */
  readonly name: string;
  /** The present role of a session from an earlier start. Undefined: none any more. */
  roleNow(session: Session): Role | undefined;
}

const CALLED = 'your team’s account';

/** Undefined if the settings name no provider. No request is made before somebody signs in. */
export async function openTeam(parts: TeamParts): Promise<Team | undefined> {
  const { config, epoch, endings, logger, oidcSecret, visitKey } = parts;
  const { oidc } = config.signIn;
  if (oidc === undefined) return undefined;
  const { issuer, clientId, roleClaim, roles, name = CALLED, allowPrivate = config.allowPrivate } = oidc;
  const ground = groundOf(['oidc', issuer, clientId, epoch]);
  const { createOpenIdProvider } = await import('../io/openid/provider.ts');
  const now = Date.now;
  return {
    name,
    issuer,
    roleClaim,
    roles,
    ground,
    roleNow: (session) => (session.ground === ground ? roleByGroups(session.groups ?? [], roles) : undefined),
    provider: createOpenIdProvider({
      ...oidc,
      clientSecret: oidcSecret,
      issuerHttp: endings.use(await openGuarded({ ...config, allowPrivate })),
      http: endings.use(await openGuarded({ ...config, allowPrivate: false })),
      now,
    }),
    visits: new SealedVisits({ key: visitKey, random: randomSecretBytes, now }),
    visitCookie: new HubCookie('oidc', parts),
    limiter: parts.makeLimiter('oidc', { now }),
    onProblem: (error) => logger.warn({ error, issuer }, 'Somebody could not be signed in by the provider'),
  };
}
