/** A text that is built piece by piece and line by line. */
export class TextPieces {
  quoteDepth = 0;
  readonly #pieces: string[] = [];
  #isFresh = true;

  add(text: string): void {
    if (text === '') return;
    if (this.#isFresh && !isBlank(text)) {
      if (this.quoteDepth > 0) this.#pieces.push('> ');
      this.#isFresh = false;
    }
    this.#pieces.push(text);
  }

  breakLine(isParagraph: boolean): void {
    if (this.#isFresh && this.#pieces[this.#pieces.length - 1] === '\n\n') return;
    this.#pieces.push(isParagraph ? '\n\n' : '\n');
    this.#isFresh = true;
  }

  text(): string {
    return this.#pieces.join('').trim();
  }
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
