import { expect, test } from 'vitest';
import { HubCookie } from './hub-cookie.ts';

const cookieOf = (base: string, hubId = 'one') => new HubCookie('session', { hubId, baseUrl: () => base });

test.each([
  ['http://127.0.0.1:8080/', /^tidings_session_[0-9a-f]{8}=v; Path=\/; Max-Age=60; HttpOnly; SameSite=Lax$/],
  ['https://hub.example/', /^__Host-tidings_session_\w+=v; Path=\/; Max-Age=60; HttpOnly; SameSite=Lax; Secure$/],
  ['https://x.example/hub/', /^__Secure-tidings_session_\w+=v; Path=\/hub\/; .*HttpOnly; SameSite=Lax; Secure$/],
  ['https://x.example/a;b/', /; Path=\/; /],
])('at %s it is %s', (base, line) => {
  expect(cookieOf(base).set('v', 60)).toMatch(line);
});

test('hubs on other ports of a host have other names', () => {
  const base = 'http://localhost:1/';
  expect(cookieOf(base, 'one').name).not.toBe(cookieOf(base, 'two').name);
});

test('each value of the name is found once, and those of other names are not', () => {
  const cookie = cookieOf('http://localhost/');
  const { name } = cookie;
  expect(cookie.valuesIn(`a=1; ${name}=x;${name}=y; ${name}=x; not${name}=z; ${name}2=q; ${name}`)).toEqual(['x', 'y']);
  expect(cookie.valuesIn(undefined)).toEqual([]);
});
