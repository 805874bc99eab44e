import { oneLine } from '../codecs/primitives/one-line.ts';
import type { OperationDiff, Suggestion, SurfaceDiff } from '../doors/surface-diff.ts';

/** The descriptions that were compared. */
export interface ComparedFiles {
  readonly old: string;
  readonly new: string;
}

/** What is different in one operation, for a person, with the line that would publish it. Nothing of one that stayed. */
export function draftLines(
  operation: OperationDiff,
  versions: SurfaceDiff['versions'],
  files?: ComparedFiles,
): string[] {
  const { status, endpointId, breaking, migration, suggestions } = operation;
  if (status === 'same') return [];
  const title = `${endpointId}: ${status === 'incomparable' ? 'could not be compared' : status}${breaking ? ', breaking' : ''}`;
  const lines = [...changeLines(operation), ...suggestions.map((one) => suggestionLine(one, operation))];
  if (migration !== undefined) lines.push(`migration: ${JSON.stringify(migration)}`);
  // An endpoint that moved and changed nothing else is announced, not migrated.
  if (migration !== undefined && !isMoveOnly(migration)) lines.push(publishLine(operation, versions, files));
  return [oneLine(title), ...lines.map((line) => `  ${oneLine(line)}`)];
}

function isMoveOnly({ traits = {}, ...rest }: NonNullable<OperationDiff['migration']>): boolean {
  return Object.keys(rest).length === 0 && Object.keys(traits).every((name) => name === 'address');
}

export function surfaceCounts({ operations }: Pick<SurfaceDiff, 'operations'>): string {
  const count = (status: string) => operations.filter((each) => each.status === status).length;
  const lost = count('incomparable');
  const counts = `${count('changed')} changed, ${count('added')} added, ${count('removed')} removed, ${count('same')} the same`;
  return lost === 0 ? counts : `${counts}, ${lost} could not be compared`;
}

function changeLines({ migration = {}, reason }: OperationDiff): string[] {
  const {
    add = [],
    remove = [],
    rename = {},
    retype = {},
    addOptional = [],
    presence = {},
    request,
    traits,
  } = migration;
  return [
    ...(reason === undefined ? [] : [reason]),
    ...add.map((path) => `+ ${path}`),
    ...(addOptional as readonly string[]).map((path) => `+ ${path} (may be missing)`),
    ...remove.map((path) => `- ${path}`),
    ...Object.entries(rename).map(([from, to]) => `> ${from} is ${to} now`),
    ...Object.entries(retype).map(([path, { from, to }]) => `~ ${path} was ${from} and is ${to}`),
    ...Object.entries(presence as object).map(([path, { to }]) => `~ ${path} is ${to} now`),
    ...(request === undefined ? [] : [`request: ${JSON.stringify(request)}`]),
    ...(traits === undefined ? [] : [`also: ${JSON.stringify(traits)}`]),
  ];
}

function suggestionLine(suggestion: Suggestion, { protocol }: OperationDiff): string {
  if (suggestion.is === 'rename') {
    const { from, to, score } = suggestion;
    return `? ${from} may be called ${to} now (${score}); if so: --rename ${quoted(`${from}=${to}`)}`;
  }
  const id = quoted(suggestion.endpointId);
  if (suggestion.is === 'deprecate') return `? tidings surface deprecate … --endpoint-id ${id} --sunset <time>`;
  return `? tidings surface announce … --endpoint-id ${id} --endpoint <url> --protocol ${protocol} --api-version <version>`;
}

function publishLine(
  { endpointId, migration }: OperationDiff,
  versions: SurfaceDiff['versions'],
  files: ComparedFiles | undefined,
): string {
  const [from, to] = [versions.old, versions.new].map((version) =>
    version === undefined ? '<version>' : quoted(version),
  );
  const id = quoted(endpointId);
  const start = `tidings surface change --dir <dir> --site <url> --key <file> --endpoint-id ${id} --from ${from} --to ${to}`;
  if (files === undefined) return `${start} --migration <the above as a file>`;
  const renames = Object.entries(migration?.rename ?? {}).map(([old, now]) => ` --rename ${quoted(`${old}=${now}`)}`);
  return `${start} --old ${quoted(files.old)} --new ${quoted(files.new)} --operation ${id}${renames.join('')}`;
}

/** As a shell takes it for one word. */
function quoted(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
