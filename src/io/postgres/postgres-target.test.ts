import { expect, test } from 'vitest';
import { parsePostgresTarget } from './postgres-target.ts';

test.each([
  ['postgres://u:secret@db.example:6432/docs', 'postgres://u@db.example:6432/docs'],
  ['postgresql://u@db.example/docs?sslmode=require', 'postgres://u@db.example/docs'],
  ['postgres:postgres://u:secret@db.example/docs?password=secret', 'postgres://u@db.example/docs'],
  ['postgres:postgresql://db.example/', 'postgres://db.example/'],
  ['postgres:///docs?host=/run/postgresql', 'postgres:///run/postgresql/docs'],
  ['postgres://%2Frun%2Fpostgresql/docs', 'postgres:///run/postgresql/docs'],
])('%s is an address, and shown without its secrets', (text, shown) => {
  expect(parsePostgresTarget(text)).toEqual({ connectionString: text.replace(/^postgres:(?=p)/, ''), shown });
});

test('the schema is ours, the other options go to the driver', () => {
  const target = parsePostgresTarget('postgres://u@h/d?sslmode=disable&schema=my%20docs');
  expect(target).toEqual({
    connectionString: 'postgres://u@h/d?sslmode=disable',
    schema: 'my docs',
    shown: 'postgres://u@h/d (schema my docs)',
  });
});

test.each([
  'postgres:',
  'postgres:u:secret@host/db',
  'postgres://u:secret@ho st/db',
  'postgres://u:secret%zz@host/db',
  'postgres:mysql://u:secret@host/db',
  'postgres://u:secret@host:99999/db',
])('%s is no address, and the refusal does not repeat it', (text) => {
  const refused = (): unknown => {
    try {
      return parsePostgresTarget(text);
    } catch (error) {
      return error;
    }
  };
  expect(refused()).toMatchObject({ name: 'SettingRefusedError', recovery: 'fix-config' });
  expect(JSON.stringify(refused(), Object.getOwnPropertyNames(refused()))).not.toContain('secret');
});

test.each(['', 'x'.repeat(64), 'a\0b'])('a schema that PostgreSQL cannot name is refused: %j', (schema) => {
  const url = `postgres://h/d?schema=${encodeURIComponent(schema)}`;
  expect(() => parsePostgresTarget(url)).toThrow(/at most 63 bytes/);
});
