import { expect, test } from 'vitest';
import { LogFullError } from '../../errors/log-error.ts';
import type { StepListener } from '../store/step-store.ts';
import { HubCookie } from './hub-cookie.ts';
import { isSameToken } from './own-form.ts';
import type { Session, SessionStore, SessionWrite } from './session.ts';
import { MOST_SESSIONS, type NewSession, Sessions, type SessionsParts } from './sessions.ts';

const HOUR_MS = 3_600_000;
const WHO: NewSession = { name: 'ann', role: 'admin', way: 'token', ground: 'g', from: '192.0.2.1' };

class MemoryStore implements SessionStore {
  readonly rows = new Map<string, Session>();
  isFull = false;
  readonly #listeners: StepListener<SessionWrite>[] = [];

  load() {
    return [...this.rows.values()];
  }

  onWritten(listener: StepListener<SessionWrite>) {
    this.#listeners.push(listener);
  }

  async write(step: SessionWrite) {
    const { begun = [], seen = [], ended = [] } = step;
    if (this.isFull) throw new LogFullError('hub.sqlite', new Error('no space'));
    for (const session of begun) this.rows.set(session.hash, session);
    for (const { hash, seenMs } of seen) {
      const session = this.rows.get(hash);
      if (session !== undefined) this.rows.set(hash, { ...session, seenMs });
    }
    for (const hash of ended) this.rows.delete(hash);
    for (const listener of this.#listeners) listener(step, true);
  }
}

function lab(rest: Partial<SessionsParts> = {}) {
  const store = new MemoryStore();
  const time = { ms: 1_000_000_000_000 };
  const problems: unknown[] = [];
  let made = 0;
  const parts: SessionsParts = {
    store,
    cookie: new HubCookie('session', { hubId: 'hub', baseUrl: () => 'http://127.0.0.1/' }),
    hours: 12,
    idleMinutes: 120,
    roleNow: ({ role, ground }) => (ground === 'g' ? role : undefined),
    now: () => time.ms,
    random: (size) => new Uint8Array(new BigUint64Array(size / 8).fill(BigInt(++made)).buffer),
    onProblem: (error) => problems.push(error),
    ...rest,
  };
  return { store, time, problems, sessions: new Sessions(parts), again: () => new Sessions(parts) };
}

/** A request with the cookies that were set. */
function asking(...cookies: readonly string[]) {
  return { headers: { cookie: cookies.map((line) => line.split(';', 1)[0]).join('; ') } };
}

test('who has the cookie is known, with a token for forms that only this session has', async () => {
  const { sessions, store } = lab();
  const [one, two] = [await sessions.begin(WHO), await sessions.begin({ ...WHO, name: 'bob', role: 'read' })];
  expect(sessions.viewerOf(asking(one))).toEqual({ name: 'ann', role: 'admin', formToken: expect.any(String) });
  const tokenOf = (line: string) => sessions.viewerOf(asking(line)).formToken ?? '';
  expect(tokenOf(one)).not.toBe(tokenOf(one));
  expect(isSameToken(tokenOf(one), tokenOf(one))).toBe(true);
  expect(isSameToken(tokenOf(one), tokenOf(two))).toBe(false);
  const secret = /=([^;]+)/.exec(one)?.[1] ?? '';
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify([...store.rows])).not.toContain(secret);
});

test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(44), '%00'])('the cookie %j is nobody’s', async (value) => {
  const { sessions } = lab();
  const line = await sessions.begin(WHO);
  expect(sessions.viewerOf(asking(line.replace(/=[^;]+/, `=${value}`)))).toEqual({});
});

test('one that was tampered with in any place is nobody’s', async () => {
  const { sessions } = lab();
  const line = await sessions.begin(WHO);
  const [, name = '', secret = ''] = /^([^=]+)=([^;]+)/.exec(line) ?? [];
  for (let at = 0; at < secret.length; at++) {
    const other = secret[at] === 'B' ? 'C' : 'B';
    const forged = `${name}=${secret.slice(0, at)}${other}${secret.slice(at + 1)}`;
    expect(sessions.viewerOf(asking(forged))).toEqual({});
  }
});

test('where two cookies count, one of them was put there by somebody else: nobody is signed in', async () => {
  const { sessions } = lab();
  const [one, two] = [await sessions.begin(WHO), await sessions.begin(WHO)];
  expect(sessions.viewerOf(asking(one, two))).toEqual({});
  expect(sessions.viewerOf(asking(one, one)).name).toBe('ann');
  const foreign = one.replace(/=[^;]+/, `=${'Z'.repeat(43)}`);
  expect(sessions.viewerOf(asking(foreign, one)).name).toBe('ann');
});

test('it ends when nobody looks for too long, and at the latest behind its hours', async () => {
  const { sessions, time, store } = lab();
  const idle = await sessions.begin(WHO);
  const busy = await sessions.begin(WHO);
  for (let hour = 0; hour < 11; hour++) {
    time.ms += HOUR_MS;
    expect(sessions.viewerOf(asking(busy)).name).toBe('ann');
  }
  expect(sessions.viewerOf(asking(idle))).toEqual({});
  time.ms += HOUR_MS;
  expect(sessions.viewerOf(asking(busy))).toEqual({});
  expect(sessions.all()).toEqual([]);
  await sessions.flush();
  expect(store.rows.size).toBe(0);
});

test('a page that reads itself again keeps nobody signed in', async () => {
  const { sessions, time } = lab();
  const line = await sessions.begin(WHO);
  const itself = { headers: { ...asking(line).headers, 'sec-fetch-dest': 'empty' } };
  time.ms += HOUR_MS;
  expect(sessions.viewerOf(itself).name).toBe('ann');
  time.ms += HOUR_MS;
  expect(sessions.viewerOf(itself)).toEqual({});
});

test('a clock that is set back prolongs nothing', async () => {
  const { sessions, time, again } = lab();
  const line = await sessions.begin(WHO);
  time.ms += 1.5 * HOUR_MS;
  expect(sessions.sessionOf(asking(line))).toBeDefined();
  time.ms -= 24 * HOUR_MS;
  expect(sessions.sessionOf(asking(line))).toBeDefined();
  time.ms += 0.6 * HOUR_MS;
  expect(sessions.sessionOf(asking(line))).toBeUndefined();
  expect(again().all()).toEqual([]);
});

test('one outlives a restart, with when it was seen; not one whose token is another', async () => {
  const { sessions, time, again, store } = lab();
  const line = await sessions.begin(WHO);
  const old = await sessions.begin({ ...WHO, ground: 'of an earlier token' });
  time.ms += HOUR_MS;
  sessions.viewerOf(asking(line));
  await sessions.flush();
  time.ms += 1.5 * HOUR_MS;
  const next = again();
  expect(next.viewerOf(asking(line)).name).toBe('ann');
  expect(next.viewerOf(asking(old))).toEqual({});
  expect(store.rows.size).toBe(1);
});

test('one that ends counts nowhere at once, also while the disk is full, and not after a restart behind that', async () => {
  const { sessions, store, again, problems } = lab();
  const [one, two] = [await sessions.begin(WHO), await sessions.begin(WHO)];
  store.isFull = true;
  const hash = sessions.sessionOf(asking(one))?.hash;
  await expect(sessions.end((session) => session.hash === hash)).rejects.toThrow(LogFullError);
  expect(sessions.viewerOf(asking(one))).toEqual({});
  await expect(sessions.begin(WHO)).rejects.toThrow(LogFullError);
  expect(sessions.all()).toHaveLength(1);
  await sessions.flush();
  expect(problems).toHaveLength(1);
  store.isFull = false;
  await sessions.flush();
  const next = again();
  expect(next.viewerOf(asking(one))).toEqual({});
  expect(next.viewerOf(asking(two)).name).toBe('ann');
});

test('beyond the most, the one that was not seen for longest ends', async () => {
  const { sessions, time, store } = lab();
  const first = await sessions.begin(WHO);
  const second = await sessions.begin(WHO);
  time.ms += 1;
  sessions.viewerOf(asking(first));
  for (let at = 2; at <= MOST_SESSIONS; at++) await sessions.begin(WHO);
  expect(sessions.all()).toHaveLength(MOST_SESSIONS);
  expect(sessions.viewerOf(asking(first)).name).toBe('ann');
  expect(sessions.viewerOf(asking(second))).toEqual({});
  await sessions.flush();
  expect(store.rows.size).toBe(MOST_SESSIONS);
});

test('what another process of the hub writes counts here, too', async () => {
  const { sessions, again, time } = lab();
  const other = again();
  const line = await sessions.begin(WHO);
  expect(other.viewerOf(asking(line)).name).toBe('ann');
  time.ms += 1.5 * HOUR_MS;
  sessions.viewerOf(asking(line));
  await sessions.flush();
  time.ms += HOUR_MS;
  expect(other.all(), 'somebody looked at a page of the one').toHaveLength(1);
  let isOver = false;
  const [session] = other.all();
  if (session !== undefined) other.whenOver(session, () => (isOver = true));
  expect(await sessions.end(() => true)).toBe(1);
  expect([other.all(), isOver]).toEqual([[], true]);
});
