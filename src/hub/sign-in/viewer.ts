import type { HubRequest } from '../http/route.ts';

/** What somebody who signed in may do: look, steer the sources, everything. Each may do what those before it may. */
export type Role = 'read' | 'operate' | 'admin';

export const ROLES: readonly Role[] = ['read', 'operate', 'admin'];

/** Who looks at a page. */
export interface Viewer {
  /** Absent: nobody signed in. */
  readonly role?: Role;
  /** How the log of admin actions names who it is. */
  readonly name?: string;
  /** What every form of this session carries, so that no other site can send one. */
  readonly formToken?: string;
  /** Domains that were proven in this browser lately. They are no role: they open what is watched of them. */
  readonly domains?: readonly string[];
}

export const NOBODY: Viewer = {};
/** Who sends the hub's token. */
export const TOKEN_HOLDER: Viewer = { role: 'admin', name: 'token' };

/** Says by its session cookie who sends a request. */
export interface Viewers {
  viewerOf(request: Pick<HubRequest, 'headers'>): Viewer;
}

/** Beside who signed in, who has proven a domain. */
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
