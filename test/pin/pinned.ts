import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * What was there after each step, by name: the first 16 hex digits of the SHA-256 of its bytes, and one character for each of
 * its first lines, which finds the line that differs. Only what a step changed is written down; `gone` is what it took away.
 */
type Marks = Record<string, string>;
type Pins = Record<string, Marks>;

const GONE = 'gone';
const MARKED_LINES = 80;
const SHOWN_CHARACTERS = 300;

/** Set, a run writes down what it sees instead of comparing. Only for a change of output that is meant. */
export const IS_RECORDING = process.env.TIDINGS_PIN === 'record';
/** Set, a run keeps what the build at hand leaves behind, as that of a release. */
export const IS_RELEASING = process.env.TIDINGS_PIN === 'release';

/** A file of pins beside the test that fills it, step by step. */
export class PinFile {
  readonly #file: URL;
  readonly #pinned: Pins;
  readonly #seen: Pins = {};
  /** Of a series, all of it after the last step. */
  readonly #last = new Map<string, Marks>();
  readonly #expected = new Map<string, Marks>();

  constructor(file: URL) {
    this.#file = file;
    this.#pinned = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Pins) : {};
  }

  get steps(): number {
    return Object.keys(this.#pinned).length;
  }

  /** What differs from the pins, in words; nothing where all is the same. */
  compare(series: string, step: string, found: ReadonlyMap<string, Uint8Array | string>): string[] {
    const marks: Marks = Object.fromEntries(
      [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, bytes]) => [name, markOf(bytes)]),
    );
    const name = `${series} ${step}`;
    this.#seen[name] = changesOf(this.#last.get(series) ?? {}, marks);
    this.#last.set(series, marks);
    if (IS_RECORDING) return [];

    const pinned = this.#pinned[name];
    if (pinned === undefined) return [`${name}: nothing is pinned of this step.`];
    const expected = applied(this.#expected.get(series) ?? {}, pinned);
    this.#expected.set(series, expected);
    const names = new Set([...Object.keys(expected), ...Object.keys(marks)]);
    return [...names].flatMap((path) => {
      const was = expected[path];
      const is = marks[path];
      if (was === is) return [];
      if (was === undefined) return [`${name}: ${path} is new.`];
      if (is === undefined) return [`${name}: ${path} is missing.`];
      return [`${name}: ${path} differs. ${firstDifference(was, is, found.get(path) ?? '')}`];
    });
  }

  /** Writes the pins where they are recorded. */
  close(): void {
    if (IS_RECORDING) writeFileSync(this.#file, `${JSON.stringify(this.#seen, null, 2)}\n`);
  }
}

function changesOf(before: Marks, after: Marks): Marks {
  const changed = Object.entries(after).filter(([name, mark]) => before[name] !== mark);
  const gone = Object.keys(before).filter((name) => after[name] === undefined);
  return Object.fromEntries([...changed, ...gone.map((name) => [name, GONE])]);
}

function applied(before: Marks, changes: Marks): Marks {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, mark]) => mark !== GONE));
}

function markOf(bytes: Uint8Array | string): string {
  const digest = hash('sha256', bytes).slice(0, 16);
  const text = textOf(bytes);
  if (text === undefined) return digest;
  const lines = linesOf(text).slice(0, MARKED_LINES);
  return `${digest} ${lines.map((line) => hash('sha256', line, 'base64url').slice(0, 1)).join('')}`;
}

/** Undefined for what is no text, such as a ZIP. */
function textOf(bytes: Uint8Array | string): string | undefined {
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8');
  return text.includes('\0') || text.includes('\ufffd') ? undefined : text;
}

/** JSON that stands in one line is taken member by member. */
function linesOf(text: string): string[] {
  return text.split(/\n|(?<=[^\\][,{[])(?="|\{")/);
}

function firstDifference(was: string, is: string, bytes: Uint8Array | string): string {
  const text = textOf(bytes);
  if (text === undefined) return `It is no text; it has ${bytes.length} bytes now.`;
  const lines = linesOf(text);
  const [, marksBefore = ''] = was.split(' ');
  const [, marksNow = ''] = is.split(' ');
  const at = [...marksNow].findIndex((mark, index) => mark !== marksBefore[index]);
  if (at === -1) return `It has ${lines.length} lines now; where it differs is not among those that are marked.`;
  return `Line ${at + 1} of ${lines.length} is now: ${(lines[at] ?? '').slice(0, SHOWN_CHARACTERS)}`;
}
