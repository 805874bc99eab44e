import { expect, test } from 'vitest';
import type { HttpPost, HttpResponse } from '../fetch/http-client.ts';
import { sendAnnouncement } from './send.ts';

/** Answers as it is told, and keeps whom it was asked to tell. */
function poster(answers: readonly { status: number; location?: string }[]) {
  const asked: string[] = [];
  return {
    asked,
    async post({ url }: HttpPost): Promise<HttpResponse> {
      const { status, location } = answers[Math.min(asked.length, answers.length - 1)] ?? { status: 500 };
      asked.push(url.href);
      const headers: Record<string, string> = location === undefined ? {} : { location };
      return { url, status, headers, body: (async function* () {})(), discard: async () => {} };
    },
  };
}

async function sent(http: ReturnType<typeof poster>) {
  const parcel = { body: 'hub.mode=publish', contentType: 'text/plain', urls: [] };
  const ports = { http, now: () => 0, wait: async () => {}, signal: new AbortController().signal };
  return await sendAnnouncement(new URL('https://hub.example/'), parcel, ports);
}

test('what was said over TLS is not said without', async () => {
  const http = poster([{ status: 308, location: 'http://hub.example/' }, { status: 200 }]);
  expect(await sent(http)).toMatchObject({ ok: false, status: 308, message: expect.stringContaining('It leads to') });
  expect(http.asked).toEqual(['https://hub.example/']);
});

test('a redirect to elsewhere over TLS is followed, one to nowhere is not', async () => {
  expect(await sent(poster([{ status: 307, location: '/in' }, { status: 204 }]))).toMatchObject({
    ok: true,
    status: 204,
  });
  for (const location of ['ftp://hub.example/', 'javascript:1', 'http://[']) {
    const http = poster([{ status: 307, location }, { status: 200 }]);
    expect(await sent(http), location).toMatchObject({ ok: false, status: 307 });
    expect(http.asked).toHaveLength(1);
  }
  expect(await sent(poster([{ status: 307 }, { status: 200 }]))).toMatchObject({ ok: false, status: 307 });
});

test('a stop ends the tries', async () => {
  const stopped = new AbortController();
  const http = poster([{ status: 503 }]);
  const parcel = { body: '', contentType: 'text/plain', urls: [] };
  const ports = { http, now: () => 0, wait: async () => stopped.abort(), signal: stopped.signal };
  expect(await sendAnnouncement(new URL('https://hub.example/'), parcel, ports)).toMatchObject({
    ok: false,
    status: 503,
  });
  expect(http.asked).toHaveLength(1);
});
