import type { MigrationDelta } from '../codecs/agent-feed/wire.ts';
import { decodeDescription } from '../codecs/api-description/decode-description.ts';
import type { Description } from '../codecs/api-description/description.ts';
import { compareSurfaces as compareDescriptions } from '../diff/surface/diff-surfaces.ts';
import { isOwnOperatorWarning } from '../diff/surface/own-operators.ts';
import type { OperationDiff, Suggestion, SurfaceDiff, SurfaceMigration } from '../diff/surface/surface-diff.ts';
import { descriptionError, migrationError } from '../errors/refusals.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { Recovery } from '../errors/tidings-error.ts';
import type { HttpOptions } from './open-http.ts';
import { readDescriptionText } from './read-description.ts';

export type { OperationDiff, Suggestion, SurfaceDiff };
export { isOwnOperatorWarning };

export interface SurfaceDiffOptions extends HttpOptions {
  /** A file, or an https URL. */
  readonly old: string;
  readonly new: string;
  /** From the old pointer to the new one. Nothing else counts as a rename. */
  readonly renames?: Readonly<Record<string, string>>;
  /** The endpoint id of an operation, its operationId, or its name in the description (`GET /pets/{id}`). Default: all operations. */
  readonly operation?: string;
  readonly signal?: AbortSignal;
}

/**
 * Compares two descriptions of an API: OpenAPI 3.0 or 3.1, JSON Schema, MCP tools, A2A cards, GraphQL schemas.
 *
 * An operation that could not be compared has that status. A description that could not be read throws.
 *
 * @example
 * const diff = await diffSurfaces({ old: 'orders-1.0.json', new: 'orders-1.1.json' });
 * const migration = migrationOf(diff);
 */
export async function diffSurfaces(options: SurfaceDiffOptions): Promise<SurfaceDiff> {
  const old = { where: options.old, text: await readDescriptionText(options.old, options) };
  const now = { where: options.new, text: await readDescriptionText(options.new, options) };
  return await diffDescriptions(old, now, options);
}

/** The text of a description, and its origin. */
export interface DescriptionText {
  readonly where: string;
  readonly text: string;
}

export async function diffDescriptions(
  old: DescriptionText,
  now: DescriptionText,
  { renames = {}, operation }: Pick<SurfaceDiffOptions, 'renames' | 'operation'> = {},
): Promise<SurfaceDiff> {
  const before = await decoded(old);
  const after = await decoded(now);
  if (before.format !== after.format) {
    throw descriptionError(now.where, `it is ${after.format}, and the old description is ${before.format}`);
  }
  const chosen = operation === undefined ? undefined : idOf(operation, before, after);
  const { diff, unfit } = compareDescriptions(only(before, chosen), only(after, chosen), renames);
  const [from] = unfit;
  if (from !== undefined) {
    const remedy = 'The first pointer must be one that is gone, and the second one that is new, in one operation.';
    throw new SettingRefusedError('--rename', `${from}=${renames[from]}`, remedy);
  }
  return diff;
}

/** The one delta of a diff. Throws if operations changed differently and none is named, if one could not be compared, and if nothing changed. */
export function migrationOf(diff: SurfaceDiff, operation?: string): MigrationDelta {
  const operations = diff.operations.filter((each) => operation === undefined || isNamed(each, operation));
  if (operations.length === 0) {
    const choices = diff.operations.map(({ endpointId }) => endpointId);
    throw migrationError(`There is no operation ${operation ?? ''}.`, choices, 'fix-config');
  }
  const lost = operations.find(({ status }) => status === 'incomparable');
  if (lost !== undefined) throw migrationError(`${lost.endpointId} could not be compared: ${lost.reason}.`);
  const all = operations.filter(({ status }) => status === 'changed');
  // If the whole API moved, all its operations moved. Operations whose shape changed take precedence.
  const reshaped = all.filter(({ migration }) => !isMoveOnly(migration));
  const changed = reshaped.length > 0 ? reshaped : all;
  const [first, ...others] = changed;
  if (first?.migration === undefined) throw migrationError(unchangedReason(operations));
  const text = JSON.stringify(first.migration);
  if (others.every(({ migration }) => JSON.stringify(migration) === text)) return first.migration;
  const choices = changed.map(({ endpointId }) => endpointId);
  throw migrationError(`${changed.length} operations changed differently.`, choices, 'fix-config');
}

function isMoveOnly({ traits = {}, ...rest }: SurfaceMigration = {}): boolean {
  return Object.keys(rest).length === 0 && Object.keys(traits).every((name) => name === 'address');
}

/** The maximum number of possible renames in a message. */
const MAX_NAMED = 10;

/** Without a person watching, nothing ambiguous is signed. */
export function ensureNoOpenRenames(operations: readonly OperationDiff[], recovery: Recovery = 'fix-config'): void {
  const open = namedRenames(operations);
  if (open === undefined) return;
  const what = 'What went and what came may be one field under two names; nothing was signed.';
  throw migrationError(`${what} If one is true, give it: ${open}. If none is, give --as-is.`, [], recovery);
}

/** The possible renames, as command-line options. Undefined if there are none. */
export function namedRenames(operations: readonly OperationDiff[]): string | undefined {
  const open = openRenames(operations).map(({ from, to }) => `--rename ${from}=${to}`);
  if (open.length === 0) return undefined;
  const more = open.length > MAX_NAMED ? `, and ${open.length - MAX_NAMED} more that tidings surface diff shows` : '';
  return `${open.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** The likeliest first, without duplicates. */
function openRenames(operations: readonly OperationDiff[]): readonly Extract<Suggestion, { is: 'rename' }>[] {
  const all = operations.flatMap(({ suggestions }) => suggestions).filter((one) => one.is === 'rename');
  return [...new Map(all.map((one) => [`${one.from}=${one.to}`, one])).values()];
}

function unchangedReason(operations: readonly OperationDiff[]): string {
  const moved = operations.filter(({ status }) => status === 'added' || status === 'removed');
  if (moved.length === 0) return 'The two descriptions have the same shapes: there is nothing to announce.';
  const names = moved.map(({ status, endpointId }) => `${endpointId} was ${status}`).join(', ');
  return `No operation that both descriptions have changed its shape (${names}). Announce or deprecate those instead.`;
}

async function decoded({ where, text }: DescriptionText): Promise<Description> {
  const description = await decodeDescription(text);
  if (description.ok) return description.value;
  const { place, reason } = description.flaw;
  throw descriptionError(where, place === '' ? reason : `${place}: ${reason}`);
}

function idOf(operation: string, ...descriptions: readonly Description[]): string {
  const all = descriptions.flatMap(({ operations }) => operations);
  const found = all.find(({ endpointId }) => endpointId === operation) ?? all.find((each) => isNamed(each, operation));
  if (found !== undefined) return found.endpointId;
  const choices = [...new Set(all.map(({ endpointId }) => endpointId))];
  throw migrationError(`There is no operation ${operation}.`, choices, 'fix-config');
}

type Names = Pick<OperationDiff, 'endpointId' | 'operation' | 'operationId'>;

/** The names of path parameters may differ: they are not part of an endpoint id either. */
function isNamed({ endpointId, operation, operationId }: Names, name: string): boolean {
  return [endpointId, operation, operationId].includes(name) || plainName(operation) === plainName(name);
}

function plainName(name: string): string {
  const [method = '', ...path] = name.trim().split(/\s+/);
  return path.length === 0 ? name : `${method.toUpperCase()} ${path.join(' ').replaceAll(/\{[^{}]*\}/g, '{}')}`;
}

/** A description of a single schema is compared regardless of its name. */
function only(description: Description, endpointId: string | undefined): Description {
  if (endpointId === undefined || description.format === 'json-schema') return description;
  return { ...description, operations: description.operations.filter((each) => each.endpointId === endpointId) };
}
