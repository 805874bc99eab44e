import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { HOSTILE_MARKUP, HOSTILE_TEXTS, signedIn } from '../../../../test/support/signed-in.ts';
import type { Alert, AlertEvent } from '../../alerts/alert.ts';
import { viewRoutes } from '../view.ts';
import { alertsView } from './alerts-page.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

function alertOf(number: number, more: Partial<Alert> = {}): Alert {
  return {
    id: `01KH00000000000000000000${String(number).padStart(2, '0')}`,
    kind: 'source.broken',
    severity: 'warning',
    subject: 'docs',
    sinceMs: NOON,
    raisedMs: NOON + 1000,
    summary: 'docs cannot be read.',
    remedy: 'Look at its address.',
    ...more,
  };
}

function ended(number: number, more: Partial<Alert> = {}): AlertEvent {
  const alert = alertOf(number, more);
  return { seq: number, id: alert.id, type: 'alert.cleared', atMs: NOON + 60_000, alert };
}

function routesOf(open: readonly Alert[], events: readonly AlertEvent[], isSignedIn = true) {
  const view = alertsView({ open: () => open, recent: (limit) => events.slice(0, limit) });
  return viewRoutes([view], signedIn(isSignedIn ? 'read' : undefined));
}

test('what is wrong says what to do and since when; what is over says until when', async () => {
  const full = alertOf(2, {
    kind: 'store.unwritable',
    severity: 'critical',
    subject: 'hub',
    summary: 'The disk is full.',
  });
  const told = ended(2);
  const routes = routesOf([full, alertOf(1)], [{ ...told, type: 'alert.raised' }, told]);
  const { open, past } = jsonOf(await callRoute(routes, 'GET /api/v1/views/alerts'));
  expect([open.length, past]).toEqual([2, [expect.objectContaining({ at: '2026-03-01T12:01:00Z' })]]);
  const html = textOf(await callRoute(routes, 'GET /alerts'));
  expect(html).toContain('<title>2 open · Tidings</title>');
  expect(html).toContain('<b class="badge error">critical</b>');
  expect(html).toContain('Look at its address.');
  expect(html).toContain('<a href="./sources/docs"><bdi>docs</bdi></a>');
  expect(html).not.toContain('sources/hub');
});

test('where nothing is wrong it says so, to who signed in', async () => {
  expect(textOf(await callRoute(routesOf([], []), 'GET /alerts'))).toContain('Nothing is wrong.');
  expect((await callRoute(routesOf([], [], false), 'GET /alerts')).headers.location).toBe('./sign-in?to=alerts');
});

test.each(HOSTILE_TEXTS)('a hostile text stays text, in every field: %.30j', async (text) => {
  const hostile = {
    subject: text,
    summary: text,
    remedy: text,
    source: text,
    url: `https://x.example/${text}`,
  };
  const html = textOf(await callRoute(routesOf([alertOf(1, hostile)], [ended(2, hostile)]), 'GET /alerts'));
  expect(html.replaceAll(/href="\.\/sources\/[^"]*"/g, '').replaceAll(/href="https:[^"]*"/g, '')).not.toMatch(
    HOSTILE_MARKUP,
  );
  expect(html).not.toMatch(/href="[^"]{3000}/);
});
