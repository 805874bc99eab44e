import { isOwnOperatorWarning } from '../diff/surface/own-operators.ts';
import { migrationError } from '../errors/refusals.ts';
import { SurfaceRefusedError } from '../errors/surface-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { type DescriptionState, openDescriptionState } from '../io/files/description-state.ts';
import { wait } from '../io/node/timer-wait.ts';
import { readDescriptionText } from './read-description.ts';
import { findSaid } from './said-change.ts';
import { changeSchema, initSurface, type SurfaceTarget } from './surface.ts';
import {
  diffDescriptions,
  ensureNoOpenRenames,
  migrationOf,
  type OperationDiff,
  type SurfaceDiff,
  type SurfaceDiffOptions,
} from './surface-diff.ts';

export interface SurfaceWatchOptions extends Omit<SurfaceDiffOptions, 'old' | 'new'> {
  /** The description: a file, or an https URL. */
  readonly where: string;
  /** The file that remembers the description. */
  readonly state: string;
  readonly signal: AbortSignal;
  /** Look once, and throw any error. */
  readonly once?: boolean;
  readonly everyMs?: number;
  /** Accept the current description as seen, whatever it is. */
  readonly accept?: boolean;
  /** Sign and publish changes. Without it every change is a draft, and stays one until it is published or accepted. */
  readonly publish?: SurfacePublishing;
  /** Only the renames in `renames` happened. Otherwise nothing is signed while a rename is likely. */
  readonly isAsIs?: boolean;
  /** Called with a problem that prevents a comparison. The watch continues. */
  readonly onProblem?: (message: string) => void;
  /** Called with remarks for a person who waits for a draft. */
  readonly onNotice?: (message: string) => void;
}

export interface SurfacePublishing {
  readonly target: SurfaceTarget;
  /** The endpoint that the description is about. Without it, each operation has its own id. */
  readonly endpointId?: string;
  /** For a description that does not state its version. */
  readonly from?: string;
  readonly to?: string;
}

/** One operation that changed. */
export interface SurfaceDraft extends OperationDiff {
  readonly where: string;
  readonly versions: SurfaceDiff['versions'];
  /** The id of the signed entry, if it was published. */
  readonly entryId?: string;
}

const EVERY_MS = 300_000;
/** A file is not read while it is being written. */
const SETTLED_MS = 200;

/**
 * Yields the changes of a description since it was last published or accepted. The first look stores the description and yields nothing. A draft is yielded
 * once by each watch.
 *
 * A description that cannot be read completely or compared is a problem, never a change: the stored state is kept until it can. Ends with the signal.
 */
export async function* watchSurface(options: SurfaceWatchOptions): AsyncGenerator<SurfaceDraft> {
  const { where, state, signal, once = false, everyMs = EVERY_MS, onProblem = () => {} } = options;
  const memory = await openDescriptionState(state, where);
  const seen: Seen = { text: undefined };
  let told: string | undefined;
  for (;;) {
    try {
      yield* lookOnce(memory, seen, options);
      told = undefined;
    } catch (error) {
      if (once || !(error instanceof TidingsError) || isFinal(error)) throw error;
      if (error.message !== told && !signal.aborted) onProblem(error.message);
      told = error.message;
    }
    if (once || signal.aborted) return;
    await wait(everyMs, signal);
    if (signal.aborted) return;
  }
}

/** An error in a description may be gone at the next look. An error in the options stays. */
function isFinal(error: TidingsError): boolean {
  if (error instanceof SurfaceRefusedError && /^(?:migration|schema-change)/.test(error.subject)) return false;
  return error.recovery === 'fix-config' || error.recovery === 'stop';
}

/** The text that this watch last reported on. */
interface Seen {
  text: string | undefined;
}

async function* lookOnce(
  memory: DescriptionState,
  seen: Seen,
  options: SurfaceWatchOptions,
): AsyncGenerator<SurfaceDraft> {
  const { where, accept = false, publish, onNotice = () => {} } = options;
  const text = await settledText(memory, options);
  if (seen.text === text && publish === undefined) return;
  if (memory.text === text && memory.pending === undefined) {
    if (seen.text !== text) onNotice(nothingNew(memory, where));
    seen.text = text;
    return;
  }
  const now = { where, text };
  // The first one must also be a valid description.
  const before = memory.text === undefined ? now : { where: `${where} (as remembered)`, text: memory.text };
  const isTaken = memory.text === undefined || accept;
  const diff = await diffDescriptions(before, now, isTaken ? {} : options);
  if (!isTaken) {
    ensureWhole(diff, where);
    yield* publishedDrafts(diff, text, { memory, options });
  } else if (memory.text === undefined) onNotice(`${where} is remembered; nothing is compared yet.`);
  seen.text = text;
  const isDraft = !isTaken && publish === undefined && diff.operations.some(({ status }) => status !== 'same');
  const moved = diff.operations.filter(({ status }) => status === 'added' || status === 'removed');
  if (!isTaken && !isDraft && moved.length > 0) {
    const names = moved.map(({ endpointId, status }) => `${endpointId} (${status})`).join(', ');
    onNotice(`Announce or deprecate these yourself; they are not told again: ${names}.`);
  }
  if (!isDraft) return await memory.keep(text);
  onNotice(`This is a draft, and is told again until it is published (--publish) or taken for seen (--accept).`);
}

function nothingNew({ since }: DescriptionState, where: string): string {
  return `Nothing changed${since === undefined ? '' : ` since ${since}`} in ${where}.`;
}

async function settledText(memory: DescriptionState, options: SurfaceWatchOptions): Promise<string> {
  const { where, signal } = options;
  let text = await readDescriptionText(where, options);
  if (text === memory.text || /^https?:/i.test(where)) return text;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await wait(SETTLED_MS, signal);
    const again = await readDescriptionText(where, options);
    if (again === text) return text;
    text = again;
  }
  throw migrationError(`${where} is being written. It is read again next time.`, [], 'retry-later');
}

function ensureWhole({ operations }: SurfaceDiff, where: string): void {
  const lost = operations.find(({ status }) => status === 'incomparable');
  if (lost !== undefined) {
    const remedy = 'What is remembered stays; --accept takes the new description for seen.';
    throw migrationError(`${where}: ${lost.endpointId} could not be compared: ${lost.reason}. ${remedy}`);
  }
  if (operations.length > 0 && operations.every(({ status }) => status === 'removed')) {
    const remedy = 'That looks like half of a description; --accept takes it for seen.';
    throw migrationError(`${where}: none of its operations is there any more. ${remedy}`);
  }
}

interface Looking {
  readonly memory: DescriptionState;
  readonly options: SurfaceWatchOptions;
}

async function* publishedDrafts(diff: SurfaceDiff, text: string, looking: Looking): AsyncGenerator<SurfaceDraft> {
  const { memory, options } = looking;
  const { versions } = diff;
  const drafts = diff.operations.filter(({ status }) => status !== 'same');
  const isChanged = drafts.some(({ status }) => status === 'changed');
  const { publish, where } = options;
  if (publish !== undefined && options.isAsIs !== true) {
    // A continuous watch reports it and waits for another description. With `once`, it fails.
    ensureNoOpenRenames(drafts, options.once === true ? 'fix-config' : 'fix-input');
  }
  let common: string | undefined;
  if (publish?.endpointId !== undefined && isChanged) {
    common = await publishOnce(publish.endpointId, migrationOf(diff));
  }
  for (const draft of drafts) {
    const isOwn = publish !== undefined && publish.endpointId === undefined && draft.migration !== undefined;
    const entryId = isOwn ? await publishOnce(draft.endpointId, draft.migration) : draft.migration && common;
    yield { ...draft, where, versions, ...(entryId !== undefined && { entryId }) };
  }

  /** What was published before a crash is not published again. */
  async function publishOnce(endpointId: string, migration: OperationDiff['migration']): Promise<string | undefined> {
    if (publish === undefined || migration === undefined) return undefined;
    const done = memory.pending?.text === text ? memory.pending.published : [];
    if (done.includes(endpointId)) return undefined;
    const [from, to] = [publish.from ?? versions.old, publish.to ?? versions.new];
    if (from === undefined || to === undefined || from === to) {
      const seen = from === undefined || to === undefined ? 'tell no versions' : `both say version ${to}`;
      throw migrationError(`The descriptions ${seen}. Nothing was published: give --from and --to.`, [], 'fix-config');
    }
    const change = { endpointId, from, to, migration };
    const saidId = await findSaid(publish.target, change);
    const report =
      saidId === undefined ? await changeSchema(publish.target, change) : await initSurface(publish.target);
    for (const warning of report.warnings) if (!isOwnOperatorWarning(warning)) options.onProblem?.(warning);
    await memory.keepPending(text, [...done, endpointId]);
    return saidId ?? report.entryId;
  }
}
