import { TidingsError } from './tidings-error.ts';

/** A setting that does not make sense. Nothing was done. */
export class SettingRefusedError extends TidingsError {
  override readonly name = 'SettingRefusedError';
  readonly recovery = 'fix-config';
  readonly setting: string;

  constructor(setting: string, value: unknown, remedy: string) {
    super(`${setting} ${String(value)} is refused. ${remedy}`);
    this.setting = setting;
  }
}
