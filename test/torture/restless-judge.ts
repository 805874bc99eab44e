import type { Change } from '../../src/model/change.ts';
import { decodeSectionsNote } from '../../src/model/sections-note.ts';
import type { Edit } from './restless-truth.ts';

export interface Verdict {
  /** Told, and no edit: each event counts once, also one that names an edit among what is none. */
  readonly false: number;
  /** Edits that were not told by the end, under their page and section. */
  readonly lost: number;
  /** Events that tell an edit once more. */
  readonly doubled: number;
  /** One line per event or edit that is counted. */
  readonly complaints: readonly string[];
}

interface Pending {
  readonly edit: Edit;
  told: boolean;
}

/** Holds what a hub tells of a source against what its authors did. */
export class RestlessJudge {
  readonly #edits: readonly Pending[];
  readonly #clean: (anchor: string) => string;
  readonly #complaints: string[] = [];
  #false = 0;
  #doubled = 0;

  /** `clean` gives the name that the authors know a section by. */
  constructor(edits: readonly Edit[], clean: (anchor: string) => string = (anchor) => anchor) {
    this.#edits = edits.map((edit) => ({ edit, told: false }));
    this.#clean = clean;
  }

  /** What was told at a look, with URLs as paths. */
  hear(look: number, changes: readonly Change[]): void {
    for (const change of changes) {
      const made = this.#edits.filter(({ edit }) => edit.look <= look && edit.path === change.url);
      const names = this.#namesIn(change);
      const matches = (pending: Pending) => names.some((name) => name === nameOf(pending.edit));
      const fresh = made.filter((pending) => !pending.told && matches(pending));
      const others = names.filter((name) => !fresh.some(({ edit }) => nameOf(edit) === name));
      const known = others.filter((name) => made.some(({ edit }) => nameOf(edit) === name));
      for (const pending of fresh) pending.told = true;
      if (others.length === 0) continue;
      const isDoubled = known.length === others.length;
      if (isDoubled) this.#doubled += 1;
      else this.#false += 1;
      const what = `${change.action} ${change.url}#${change.anchor ?? ''} (${change.note ?? ''})`;
      this.#complaints.push(`look ${look}: ${isDoubled ? 'doubled' : 'false'}: ${what}`);
    }
  }

  verdict(): Verdict {
    const lost = this.#edits.filter(({ told }) => !told);
    const complaints = lost.map(
      ({ edit }) => `look ${edit.look}: lost: ${edit.what} ${edit.path}#${edit.anchor ?? ''}`,
    );
    return {
      false: this.#false,
      lost: lost.length,
      doubled: this.#doubled,
      complaints: [...this.#complaints, ...complaints],
    };
  }

  /** What an event says that changed: `create`, `delete`, `update`, or sections by their names. */
  #namesIn({ action, anchor, note }: Change): readonly string[] {
    if (anchor !== undefined) return [`#${this.#clean(anchor)}`];
    const noted = action === 'update' ? decodeSectionsNote(note) : undefined;
    if (noted === undefined) return [action];
    const named = [...noted.changed, ...noted.added, ...noted.removed];
    const isOfMore = noted.more > 0 || OUTSIDE_SECTIONS.test(note ?? '');
    return [...new Set(named.map((name) => `#${this.#clean(name)}`)), ...(isOfMore ? [action] : [])];
  }
}

/** Reasons for an event of a page that are none of its sections'. */
const OUTSIDE_SECTIONS = /title-changed|preamble-changed|reordered/;

function nameOf({ what, anchor }: Edit): string {
  if (anchor !== undefined) return `#${anchor}`;
  return what === 'page-added' ? 'create' : 'delete';
}
