import { formatTime } from '../../codecs/primitives/time.ts';
import type { KeptAction } from './admin-log.ts';
import type { Session } from './session.ts';

const ID_CHARACTERS = 16;

/** The name of a session on pages and in the API. It gives no access. */
export function sessionId({ hash }: Pick<Session, 'hash'>): string {
  return hash.slice(0, ID_CHARACTERS);
}

export function viewSession(session: Session) {
  const { name, role, way, from, createdMs, seenMs } = session;
  return {
    id: sessionId(session),
    name,
    role,
    way,
    from,
    created_at: formatTime(createdMs),
    seen_at: formatTime(seenMs),
  };
}

export function viewAction({ seq, atMs, who, action, on, from, status, times }: KeptAction) {
  return {
    id: seq,
    at: formatTime(atMs),
    who,
    action,
    on,
    from,
    ...(status !== undefined && { status }),
    ...(times !== undefined && { times }),
  };
}

export type SessionView = ReturnType<typeof viewSession>;
export type ActionView = ReturnType<typeof viewAction>;

const text = { type: 'string' } as const;
const moment = { type: 'string', format: 'date-time' } as const;

export const SESSION_SCHEMA = {
  type: 'object',
  required: ['id', 'name', 'role', 'way', 'from', 'created_at', 'seen_at'],
  properties: {
    id: text,
    name: text,
    role: { enum: ['read', 'operate', 'admin'] },
    way: { enum: ['token', 'oidc'] },
    from: text,
    created_at: moment,
    seen_at: moment,
  },
} as const;

export const ACTION_SCHEMA = {
  type: 'object',
  required: ['id', 'at', 'who', 'action', 'on', 'from'],
  properties: {
    id: { type: 'integer' },
    at: moment,
    who: text,
    action: { ...text, description: 'Method and path of the request, or how somebody signed in or out.' },
    on: { type: 'object', additionalProperties: text, description: 'The path parameters of the request.' },
    from: text,
    status: { type: 'integer' },
    times: { type: 'integer', description: 'Number of actions that this entry stands for.' },
  },
} as const;
