import type { Roles } from '../../src/hub/cluster/roles.ts';

interface MemoryRolesOptions {
  /** The clock of the database. */
  readonly now: () => number;
  readonly leaseMs: number;
  /** Called with each new token: writes with an older one are refused. */
  readonly onToken?: (task: string, token: number) => void;
}

/** Roles of the processes of one test, assigned like the database does. */
export class MemoryRoles {
  readonly #options: MemoryRolesOptions;
  readonly #held = new Map<string, { holder: string | undefined; token: number; untilMs: number }>();

  constructor(options: MemoryRolesOptions) {
    this.#options = options;
  }

  /** The view of one process. `reach` throws while it cannot reach the database. */
  of(holder: string, reach: () => void = () => {}): Roles {
    const { now, leaseMs, onToken } = this.#options;
    return {
      take: async (name) => {
        reach();
        const role = this.#held.get(name);
        if (role?.holder !== undefined && role.holder !== holder && role.untilMs > now()) return undefined;
        const token = (role?.token ?? 0) + 1;
        this.#held.set(name, { holder, token, untilMs: now() + leaseMs });
        onToken?.(`role:${name}`, token);
        return token;
      },
      renew: async (name, token) => {
        reach();
        const role = this.#held.get(name);
        if (role?.token !== token || role.holder === undefined) return false;
        role.untilMs = now() + leaseMs;
        return true;
      },
      release: async (name, token) => {
        reach();
        const role = this.#held.get(name);
        if (role?.token === token) role.holder = undefined;
      },
    };
  }
}
