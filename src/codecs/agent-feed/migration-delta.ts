import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import type { MigrationDelta } from './wire.ts';

const MAX_POINTERS = 10_000;
const MAX_POINTER = 2048;
const MAX_TOKEN = 1024;

/**
 * The delta of a schema-change (§26): the operators of v0 must have the right shape, everything else is kept.
 *
 * Pointers and type tokens are checked only for their length. Returns the given object itself.
 */
export function decodeMigration(value: unknown): Result<MigrationDelta> {
  if (!isRecord(value)) return refuse('AF-PS4', 'migration is no object.');
  for (const operator of ['add', 'remove'] as const) {
    if (isGivenAndNot(value, operator, isStringList)) {
      return refuse('AF-PS5', `migration.${operator} is no array of strings.`);
    }
  }
  if (isGivenAndNot(value, 'rename', isObjectOf(isString))) {
    return refuse('AF-PS6', 'migration.rename is no object of strings.');
  }
  if (isGivenAndNot(value, 'retype', isObjectOf(isRetype))) {
    return refuse('AF-PS7', 'migration.retype is no object of {"from": string, "to": string}.');
  }
  return findExcess(value) ?? accept(value);
}

/** Undefined if nothing exceeds its limit. */
function findExcess({ add = [], remove = [], rename = {}, retype = {} }: MigrationDelta): Result<never> | undefined {
  const [from, retyped] = [Object.keys(rename), Object.keys(retype)];
  if (add.length + remove.length + from.length + retyped.length > MAX_POINTERS) {
    return refuse('AF-PS4', `migration has more than ${MAX_POINTERS} pointers.`);
  }
  const tooLong = (pointer: string) => pointer.length > MAX_POINTER;
  const excess = (operator: string) => `migration.${operator} has a pointer of more than ${MAX_POINTER} characters.`;
  if (add.some(tooLong)) return refuse('AF-PS5', excess('add'));
  if (remove.some(tooLong)) return refuse('AF-PS5', excess('remove'));
  if ([...from, ...Object.values(rename)].some(tooLong)) return refuse('AF-PS6', excess('rename'));
  if (retyped.some(tooLong)) return refuse('AF-PS7', excess('retype'));
  if (Object.values(retype).some((step) => Math.max(step.from.length, step.to.length) > MAX_TOKEN)) {
    return refuse('AF-PS7', `migration.retype has a type of more than ${MAX_TOKEN} characters.`);
  }
  return undefined;
}

function isGivenAndNot(delta: JsonRecord, operator: string, isRight: (value: unknown) => boolean): boolean {
  return Object.hasOwn(delta, operator) && !isRight(delta[operator]);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isStringList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isString);
}

function isObjectOf(isMember: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => isRecord(value) && Object.values(value).every(isMember);
}

function isRetype(value: unknown): boolean {
  return isRecord(value) && ['from', 'to'].every((side) => Object.hasOwn(value, side) && isString(value[side]));
}
