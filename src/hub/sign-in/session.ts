import type { StepStore } from '../store/step-store.ts';
import type { Role } from './viewer.ts';

/** How somebody signed in: with the hub's token, or at the provider of a team. */
export type SignInWay = 'token' | 'oidc';

/** Who is signed in, in one browser. */
export interface Session {
  /** The hex of the SHA-256 of what the cookie holds, which is kept nowhere. */
  readonly hash: string;
  /** The name of the person in the log of admin actions. */
  readonly name: string;
  readonly role: Role;
  readonly way: SignInWay;
  /** What it depends on: it ends when that changes. */
  readonly ground: string;
  /** Who it is for the provider. */
  readonly subject?: string;
  /** The groups that the provider named, as far as the settings use them. */
  readonly groups?: readonly string[];
  /** The address from which somebody signed in. */
  readonly from: string;
  readonly createdMs: number;
  /** When a page was last looked at with it. */
  readonly seenMs: number;
}

/** Where sessions outlive a restart, and are known in every process of the hub. */
export interface SessionStore extends StepStore<SessionWrite> {
  /** In the order in which they began. */
  load(): readonly Session[];
}

export interface SessionWrite {
  readonly begun?: readonly Session[];
  /** When each was last seen. */
  readonly seen?: readonly { readonly hash: string; readonly seenMs: number }[];
  /** Hashes. */
  readonly ended?: readonly string[];
}
