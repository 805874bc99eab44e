import type { HubRequest } from '../http/route.ts';

/** What a signed-in person may do: look, manage the sources, everything. Each role includes those before it. */
export type Role = 'read' | 'operate' | 'admin';

export const ROLES: readonly Role[] = ['read', 'operate', 'admin'];

/** Who looks at a page. */
export interface Viewer {
  /** Absent: nobody signed in. */
  readonly role?: Role;
  /** The name of the person in the log of admin actions. */
  readonly name?: string;
  /** The token in every form of this session, so that no other site can send one. */
  readonly formToken?: string;
  /** Domains that were proven in this browser lately. They are no role: they open what is watched of them. */
  readonly domains?: readonly string[];
}

export const NOBODY: Viewer = {};
/** Who sends the hub's token. */
export const TOKEN_HOLDER: Viewer = { role: 'admin', name: 'token' };

/** Identifies the sender of a request by its session cookie. */
export interface Viewers {
  viewerOf(request: Pick<HubRequest, 'headers'>): Viewer;
}

/** Adds the domains that a visitor has proven. */
export function withDomains(
  viewers: Viewers,
  domainsOf: (request: Pick<HubRequest, 'headers'>) => readonly string[],
): Viewers {
  return {
    viewerOf(request) {
      const domains = domainsOf(request);
      return domains.length === 0 ? viewers.viewerOf(request) : { ...viewers.viewerOf(request), domains };
    },
  };
}

export function mayAct({ role }: Viewer, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
