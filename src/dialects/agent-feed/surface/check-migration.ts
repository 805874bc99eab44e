import type { MigrationDelta } from '../../../codecs/agent-feed/wire.ts';
import { isRecord } from '../../../codecs/primitives/json-record.ts';
import { SurfaceRefusedError } from '../../../errors/surface-error.ts';
import { isTypeToken } from '../../../surface/type-token.ts';

const OPERATORS = ['add', 'remove', 'rename', 'retype'];
/** RFC 6901: only 0 or 1 may follow `~`. The empty pointer, which means the whole document, is useless here. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/;

/** §26. Unknown operators of later versions are kept, with a warning. */
export function checkMigration(migration: unknown): { delta: MigrationDelta; warnings: readonly string[] } {
  if (!isRecord(migration)) throw refused('migration', 'It must be a JSON object, such as {"add":["/currency"]}.');
  const { add, remove, rename, retype } = migration;
  const added = checkPointers('add', add);
  const removed = checkPointers('remove', remove);
  checkRename(rename);
  checkRetype(retype);

  const unknown = Object.keys(migration).filter((key) => !OPERATORS.includes(key));
  const gone = new Set(removed);
  const both = added.filter((pointer) => gone.has(pointer));
  return {
    delta: migration,
    warnings: [
      ...unknown.map((key) => `migration.${key} is no operator of v0. Readers keep it and use it for nothing.`),
      ...both.map((pointer) => `migration both adds and removes ${pointer}.`),
    ],
  };
}

function checkPointers(operator: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw refused(`migration.${operator}`, 'It must be an array of JSON Pointers.');
  return value.map((pointer) => checkPointer(`migration.${operator}`, pointer));
}

function checkRename(value: unknown): void {
  if (value === undefined) return;
  if (!isRecord(value)) throw refused('migration.rename', 'It must be an object: {"/old": "/new"}.');
  for (const [from, to] of Object.entries(value)) {
    checkPointer('migration.rename', from);
    checkPointer('migration.rename', to);
    if (from === to) throw refused('migration.rename', `${from} is renamed to itself.`);
  }
}

function checkRetype(value: unknown): void {
  if (value === undefined) return;
  if (!isRecord(value))
    throw refused('migration.retype', 'It must be an object: {"/price": {"from": "string", "to": "number"}}.');
  for (const [pointer, step] of Object.entries(value)) {
    checkPointer('migration.retype', pointer);
    if (!isRecord(step)) throw refused('migration.retype', `${pointer} needs {"from": …, "to": …}.`);
    for (const token of [step.from, step.to]) {
      if (typeof token !== 'string' || !isTypeToken(token)) {
        throw refused(
          'migration.retype',
          `${pointer} needs type tokens in "from" and "to": string, number, boolean, null, object, array or nullable<…>, not ${JSON.stringify(token) ?? 'nothing'}.`,
        );
      }
    }
  }
}

function checkPointer(subject: string, pointer: unknown): string {
  if (typeof pointer === 'string' && POINTER.test(pointer)) return pointer;
  throw refused(
    subject,
    `${JSON.stringify(pointer)} is no JSON Pointer. Give one that begins with "/", without "#", such as "/total".`,
  );
}

function refused(subject: string, why: string): SurfaceRefusedError {
  return new SurfaceRefusedError(subject, why);
}
