import { expect, test } from 'vitest';
import type { World } from '../world.ts';
import { migrate } from './migrate.ts';

test.each<[string, readonly string[], Record<string, string>, string]>([
  [
    'a database that is named twice',
    [],
    { from: 'postgres://a/b', to: 'postgres://u:secret@a/c' },
    'comes back --to a folder',
  ],
  ['no folder', [], { to: 'postgres://u:secret@a/c' }, 'Name the data folder that moves'],
  ['a folder to a folder', ['./data'], { to: './secret' }, 'A folder moves --to postgres://'],
  ['a folder and a database', ['./data'], { from: 'postgres://u:secret@a/b', to: './x' }, 'not both'],
  ['no address', ['./data'], { to: 'postgres:secret' }, 'It is no address of a database'],
])('%s is refused without a word of what was given', async (_name, args, options, remedy) => {
  const world = { status: () => {} } as unknown as World;
  const refused = migrate.run(args, options, world);
  await expect(refused).rejects.toMatchObject({ recovery: 'fix-config', message: expect.stringContaining(remedy) });
  await expect(refused).rejects.toMatchObject({ message: expect.not.stringContaining('secret') });
});
