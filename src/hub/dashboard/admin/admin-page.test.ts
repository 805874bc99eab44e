import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { HOSTILE_MARKUP, HOSTILE_TEXTS, signedIn } from '../../../../test/support/signed-in.ts';
import type { KeptAction } from '../../sign-in/admin-log.ts';
import type { Session } from '../../sign-in/session.ts';
import { viewRoutes } from '../view.ts';
import { adminView } from './admin-page.ts';

function routesOf(actions: readonly KeptAction[], sessions: readonly Session[], role: 'read' | 'admin' = 'admin') {
  const log = {
    read: (limit: number, before = Number.POSITIVE_INFINITY) =>
      actions.filter(({ seq }) => seq < before).slice(0, limit),
  };
  return viewRoutes([adminView({ log, sessions: { all: () => sessions, end: async () => 0 } })], signedIn(role));
}

test.each(HOSTILE_TEXTS.map((text) => [text.slice(0, 30), text]))(
  '%j stands in the log as text',
  async (_short, text) => {
    const action: KeptAction = {
      seq: 1,
      atMs: 0,
      who: text,
      action: text.slice(0, 300),
      on: { id: text },
      from: text,
      status: 200,
    };
    const session: Session = {
      hash: 'f'.repeat(64),
      name: text,
      role: 'read',
      way: 'oidc',
      ground: '',
      from: text,
      createdMs: 0,
      seenMs: 0,
    };
    const html = textOf(await callRoute(routesOf([action], [session]), 'GET /admin'));
    expect(html).not.toMatch(HOSTILE_MARKUP);
    expect(html.length).toBeLessThan(20_000);
  },
);

test('fifty actions a page, and a link to those before', async () => {
  const actions = Array.from({ length: 120 }, (_, at) => ({
    seq: 120 - at,
    atMs: 0,
    who: `w${120 - at}`,
    action: 'sign-in',
    on: {},
    from: '',
  }));
  const first = jsonOf(await callRoute(routesOf(actions, []), 'GET /api/v1/views/admin'));
  expect([first.actions.length, first.next]).toEqual([50, 71]);
  const html = textOf(await callRoute(routesOf(actions, []), 'GET /admin?before=71'));
  expect(html).toContain('w70');
  expect(html).not.toContain('w71<');
  expect(html).toContain('admin?before=21');
});

test('the log is for admins', async () => {
  expect((await callRoute(routesOf([], [], 'read'), 'GET /admin')).status).toBe(403);
});
