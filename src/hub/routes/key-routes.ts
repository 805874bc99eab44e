import type { Route } from '../http/route.ts';
import { checkoutRoutes } from './checkout-routes.ts';
import { keyAdminRoutes } from './key-admin-routes.ts';
import { keyOwnerRoutes } from './key-owner-routes.ts';
import type { KeyParts } from './key-parts.ts';

/** API keys (DiffDelta §10): how to get one, its state, how to rotate it; and all of them for the admin. */
export function keyRoutes(parts: KeyParts): Route[] {
  return [...checkoutRoutes(parts), ...keyOwnerRoutes(parts), ...keyAdminRoutes(parts)];
}
