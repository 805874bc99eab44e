import { expect, test } from 'vitest';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { stateFolder } from './state-folder.ts';

test('state is kept where the user’s system keeps it', () => {
  expect(stateFolder({ XDG_STATE_HOME: '/var/me', HOME: '/home/me' })).toBe('/var/me/tidings');
  expect(stateFolder({ HOME: '/home/me' })).toBe('/home/me/.local/state/tidings');
  expect(stateFolder({ XDG_STATE_HOME: '', HOME: '/home/me' })).toBe('/home/me/.local/state/tidings');
  expect(stateFolder({ XDG_STATE_HOME: 'relative', HOME: '/home/me' })).toBe('/home/me/.local/state/tidings');
});

test('without a home the user has to say where', () => {
  expect(() => stateFolder({})).toThrow(SettingRefusedError);
  expect(() => stateFolder({ HOME: '' })).toThrow(/--state/);
});
