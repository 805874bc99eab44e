/** How people sign in to the pages. */
export interface SignInSettings {
  /** A session ends so long after its beginning. */
  readonly hours: number;
  /** It ends when nobody has looked at a page for so long. */
  readonly idleMinutes: number;
  /** Absent: with the hub's token alone. */
  readonly oidc?: OidcSettings;
}

/** The OpenID provider of a team. Its secret is no setting. */
export interface OidcSettings {
  /** As the provider writes it itself, to the letter. */
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** What says which roles somebody has. A dot leads into it: `realm_access.roles`. */
  readonly roleClaim: string;
  /** Which of its values give which role; `*` for everybody who is signed in there. */
  readonly roles: Readonly<Partial<Record<'admin' | 'operate' | 'read', readonly string[]>>>;
  /** What pages call the provider. */
  readonly name?: string;
  /** Whether the issuer may be at a private address. */
  readonly allowPrivate?: boolean;
}

export const DEFAULT_SIGN_IN: SignInSettings = { hours: 12, idleMinutes: 120 };
