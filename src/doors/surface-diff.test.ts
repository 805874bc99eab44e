import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/site.ts';
import { diffSurfaces, migrationOf } from './surface-diff.ts';

test.each(['rest:GET:/pets/{}', 'GET /pets/{id}', 'get /pets/{petId}', 'showPet'])(
  'an operation is chosen by its id, its name or its operationId: %s',
  async (operation) => {
    using folder = temporaryFolder();
    folder.write({ 'old.json': pets('id', {}), 'new.json': pets('petId', { tag: { type: 'string' } }) });
    const diff = await diffSurfaces({ old: `${folder.path}/old.json`, new: `${folder.path}/new.json`, operation });
    expect(diff.operations).toMatchObject([{ endpointId: 'rest:GET:/pets/{}', operationId: 'showPet' }]);
    expect(migrationOf(diff, operation)).toEqual({ add: ['/tag'] });
  },
);

test('an API that moved does not hide the one operation whose shape changed', async () => {
  using folder = temporaryFolder();
  const served = (text: string, url: string) => JSON.stringify({ ...JSON.parse(text), servers: [{ url }] });
  folder.write({
    'old.json': served(pets('id', {}), 'https://a.example/v1'),
    'new.json': served(pets('id', { tag: { type: 'string' } }), 'https://a.example/v2'),
  });
  const diff = await diffSurfaces({ old: `${folder.path}/old.json`, new: `${folder.path}/new.json` });
  expect(diff.operations.map(({ status }) => status)).toEqual(['changed', 'changed']);
  expect(migrationOf(diff)).toMatchObject({ add: ['/tag'], traits: { address: { to: ['https://a.example/v2'] } } });
});

function pets(parameter: string, more: object): string {
  const answer = (properties: object) => {
    const schema = { type: 'object', properties, required: Object.keys(properties) };
    return { responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } } };
  };
  const id = { id: { type: 'string' } };
  const paths = {
    [`/pets/{${parameter}}`]: { get: { operationId: 'showPet', ...answer({ ...id, ...more }) } },
    '/pets': { get: { operationId: 'listPets', ...answer(id) } },
  };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths });
}
