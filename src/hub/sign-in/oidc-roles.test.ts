import { expect, test } from 'vitest';
import { claimedName, groupsIn, roleByGroups } from './oidc-roles.ts';

const ROLES = { admin: ['ops'], operate: ['editors'], read: ['staff'] };

test.each([
  [{ groups: ['staff', 'ops'] }, 'groups', 'admin'],
  [{ groups: 'editors' }, 'groups', 'operate'],
  [{ realm_access: { roles: ['staff'] } }, 'realm_access.roles', 'read'],
  [{ 'https://acme.example/roles': ['ops'] }, 'https://acme.example/roles', 'admin'],
  [{ groups: ['Ops', 'op', 'ops '] }, 'groups', undefined],
  [{ groups: [['ops'], { ops: 1 }, null, 5] }, 'groups', undefined],
  [{ groups: { ops: true } }, 'groups', undefined],
  [{}, 'groups', undefined],
  [{}, '__proto__.constructor', undefined],
  [{ groups: [...Array(1000).fill('x'), 'ops'] }, 'groups', undefined],
])('%j by %s is %s', (claims, claim, role) => {
  expect(roleByGroups(groupsIn(claims, claim, ROLES), ROLES)).toBe(role);
});

test('everybody may read where the settings say so', () => {
  expect(roleByGroups([], { read: ['*'] })).toBe('read');
  expect(roleByGroups(groupsIn({ groups: ['*'] }, 'groups', ROLES), ROLES)).toBeUndefined();
});

test.each([
  [{ sub: '1', preferred_username: 'ann', email: 'a@b.example' }, 'ann @ login.example'],
  [{ sub: '1', preferred_username: ' \u202e\n ', email: 'a@b.example' }, 'a@b.example @ login.example'],
  [{ sub: '1', name: 7 }, '1 @ login.example'],
  [{}, 'somebody @ login.example'],
  [{ sub: 'a\u0000b\u200bc\ud800' }, 'a b c @ login.example'],
])('%j is called %j', (claims, name) => {
  expect(claimedName(claims, 'https://login.example/realm')).toBe(name);
});

test('a long name is cut', () => {
  expect(claimedName({ sub: 'x'.repeat(1_000_000) }, 'https://login.example/').length).toBeLessThan(130);
});
