import { type Recovery, TidingsError } from './tidings-error.ts';

/**
 * What a tool cannot do, in words for the model that called it: the cause, then what to do. We write the whole message: it quotes no page, no path of
 * this machine and no secret.
 */
export class ToolRefusal extends TidingsError {
  override readonly name = 'ToolRefusal';
  readonly recovery: Recovery;

  constructor(message: string, recovery: Recovery = 'fix-input') {
    super(message);
    this.recovery = recovery;
  }
}
