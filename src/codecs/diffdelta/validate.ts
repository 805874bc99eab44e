import { isRecord } from '../primitives/json-record.ts';
import { valueInMessage } from './read-object.ts';
import { DIFF_SCHEMA, type Schema, type SchemaObject, type TypeName } from './schema.ts';

/** A place in a feed that breaks the schema. */
export interface SchemaIssue {
  /** A JSON pointer: `/buckets/new/0/url`; empty for the feed itself. */
  readonly path: string;
  /** The broken clause; `DD-I1` if the schema names no other. */
  readonly clause: string;
  readonly message: string;
}

/** More would hide the first ones. */
const MAX_ISSUES = 100;

/**
 * Checks a parsed feed against {@link DIFF_SCHEMA}: no issues for a valid feed, otherwise the first hundred.
 *
 * @example
 * for (const { path, message } of validateFeed(JSON.parse(text))) console.error(`${path} ${message}`);
 */
export function validateFeed(value: unknown): readonly SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  validate(DIFF_SCHEMA, value, { path: '', clause: 'DD-I1', issues });
  return issues;
}

interface Place {
  readonly path: string;
  readonly clause: string;
  readonly issues: SchemaIssue[];
}

function validate(schema: Schema, value: unknown, place: Place): void {
  if (place.issues.length >= MAX_ISSUES || schema === true) return;
  if (schema === false) {
    complain(place, 'must not be there');
    return;
  }
  const here = schema.$comment === undefined ? place : { ...place, clause: schema.$comment };
  if (schema.$ref !== undefined) validate(definition(schema.$ref), value, here);
  for (const each of schema.allOf ?? []) validate(each, value, here);
  if (schema.if !== undefined) validate((holds(schema.if, value) ? schema.then : schema.else) ?? true, value, here);

  const { type } = schema;
  if (type !== undefined && !namesOfTypes(type).some((name) => hasType(value, name))) {
    complain(here, `is ${valueInMessage(value)} and must be ${namesOfTypes(type).join(' or ')}`);
    return;
  }
  if (schema.enum !== undefined && !schema.enum.some((word) => word === value))
    complain(here, `is ${valueInMessage(value)} and must be one of ${schema.enum.join(', ')}`);
  if (schema.const !== undefined && schema.const !== value)
    complain(here, `is ${valueInMessage(value)} and must be ${valueInMessage(schema.const)}`);
  if (typeof value === 'string') validateText(schema, value, here);
  if (typeof value === 'number') validateNumber(schema, value, here);
  if (Array.isArray(value)) validateList(schema, value, here);
  if (isRecord(value)) validateMembers(schema, value, here);
}

function validateText({ pattern, minLength = 0 }: SchemaObject, value: string, place: Place): void {
  if (minLength > 0 && Array.from(value).length < minLength) complain(place, 'must not be empty');
  if (pattern !== undefined && !expression(pattern).test(value))
    complain(place, `is ${valueInMessage(value)}, of another form`);
}

function validateNumber(schema: SchemaObject, value: number, place: Place): void {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  if (value < minimum) complain(place, `is ${value} and must be at least ${minimum}`);
  if (value > maximum) complain(place, `is ${value} and must be at most ${maximum}`);
  if (value >= exclusiveMaximum) complain(place, `is ${value} and must be below ${exclusiveMaximum}`);
}

function validateList({ items = true }: SchemaObject, list: readonly unknown[], place: Place): void {
  if (items === true) return;
  for (const [at, item] of list.entries()) validate(items, item, { ...place, path: `${place.path}/${at}` });
}

function validateMembers(schema: SchemaObject, value: Readonly<Record<string, unknown>>, place: Place): void {
  const { required = [], properties = {}, additionalProperties = true } = schema;
  for (const key of required) if (!Object.hasOwn(value, key)) complain(place, `has no ${key}`);
  for (const [key, member] of Object.entries(properties))
    if (Object.hasOwn(value, key)) validate(member, value[key], below(place, key));
  if (additionalProperties === true) return;
  for (const [key, member] of Object.entries(value))
    if (!Object.hasOwn(properties, key)) validate(additionalProperties, member, below(place, key));
}

function holds(schema: Schema, value: unknown): boolean {
  const issues: SchemaIssue[] = [];
  validate(schema, value, { path: '', clause: '', issues });
  return issues.length === 0;
}

function hasType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function namesOfTypes(type: TypeName | readonly TypeName[]): readonly TypeName[] {
  return typeof type === 'string' ? [type] : type;
}

function definition(ref: string): Schema {
  const definitions: Readonly<Record<string, Schema>> = DIFF_SCHEMA.$defs;
  const found = definitions[ref.slice('#/$defs/'.length)];
  if (found === undefined) throw new Error(`The schema has no ${ref}.`);
  return found;
}

const expressions = new Map<string, RegExp>();

function expression(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const made = new RegExp(pattern, 'u');
  expressions.set(pattern, made);
  return made;
}

function below(place: Place, key: string): Place {
  return { ...place, path: `${place.path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` };
}

function complain({ path, clause, issues }: Place, message: string): void {
  if (issues.length < MAX_ISSUES) issues.push({ path, clause, message });
}
