/** A text that a regular expression is likely to match: of those parts of the syntax that the risk patterns use. */
export function sampleOf({ source }: RegExp, random: () => number): string {
  return new Sampler(source, random).alternatives();
}

const FILLING = ['a', 'we', 'i', 'of', 'blue', 'garden', 'x y z', 'hoses', 'b'];

class Sampler {
  private at = 0;
  private readonly source: string;
  private readonly random: () => number;

  constructor(source: string, random: () => number) {
    this.source = source;
    this.random = random;
  }

  alternatives(): string {
    const choices = [this.sequence()];
    while (this.source[this.at] === '|') {
      this.at += 1;
      choices.push(this.sequence());
    }
    return this.pick(choices);
  }

  private sequence(): string {
    let text = '';
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at] ?? '')) text += this.term();
    return text;
  }

  private term(): string {
    const start = this.at;
    const once = this.atom();
    const end = this.at;
    const [least, most] = this.quantifier();
    const count = least + Math.floor(this.random() * (most - least + 1));
    if (count === 1) return once;
    const after = this.at;
    let text = '';
    for (let turn = 0; turn < count && text.length < most; turn += 1) {
      this.at = start;
      text += this.atom();
    }
    this.at = Math.max(after, end);
    // A gap holds so many characters, whatever it was filled with.
    return /^\[\^|^\(\?:\(\?!/.test(this.source.slice(start)) ? text.slice(0, most) : text;
  }

  private atom(): string {
    const character = this.source[this.at++] ?? '';
    if (character === '(') return this.group();
    if (character === '[') return this.characterClass();
    if (character === '\\') return this.escape();
    return character === '^' || character === '$' ? '' : character;
  }

  private group(): string {
    const look = /^\?(?:[!=]|<[!=])/.exec(this.source.slice(this.at, this.at + 3))?.[0];
    this.at += look?.length ?? (this.source.startsWith('?:', this.at) ? 2 : 0);
    const text = this.alternatives();
    this.at += 1;
    // What must follow is as good as a part of it.
    return look === undefined || look === '?=' ? text : '';
  }

  private characterClass(): string {
    const end = this.source.indexOf(']', this.source[this.at] === '\\' ? this.at + 2 : this.at + 1);
    const inside = this.source.slice(this.at, this.endOfClass(end));
    this.at += inside.length + 1;
    if (inside.startsWith('^')) return ` ${this.pick(FILLING)} `;
    if (inside.includes('a-z')) return 'k';
    return inside.includes('\\d')
      ? '7'
      : this.pick(Array.from(inside.replace(/\\(.)/g, '$1').replace(/(.)-(?=.)/g, '$1')));
  }

  private endOfClass(end: number): number {
    let at = end;
    while (this.source[at - 1] === '\\') at = this.source.indexOf(']', at + 1);
    return at;
  }

  private escape(): string {
    const character = this.source[this.at++] ?? '';
    const known: Readonly<Record<string, string>> = { b: '', w: 'k', d: '7', s: ' ', S: 'k', W: ' ', n: '\n' };
    return known[character] ?? character;
  }

  private quantifier(): readonly [number, number] {
    const [all, least, most] = /^(?:\?|\{(\d+)(?:,(\d+))?\})\??/.exec(this.source.slice(this.at)) ?? [];
    if (all === undefined) return [1, 1];
    this.at += all.length;
    return least === undefined ? [0, 1] : [Number(least), Number(most ?? least)];
  }

  private pick(choices: readonly string[]): string {
    return choices[Math.floor(this.random() * choices.length)] ?? '';
  }
}
