import { readFile } from 'node:fs/promises';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { ExitCode } from '../exit-code.ts';
import { quorumFlags, quorumOption, witnessKeyOption } from '../option-values.ts';
import type { Verb } from '../verb.ts';

export const verifyReceiptVerb: Verb = {
  example: [
    'tidings verify-receipt receipt.json --vkey docs.vkey',
    'tidings verify-receipt receipt.json --vkey docs.vkey --witness witness.vkey',
  ].join('\n'),

  configure(command) {
    command
      .argument('<receipt>', 'a file written by tidings prove')
      .option('--vkey <key|file>', 'the log key that you trust (default: the key in the receipt, which proves less)')
      .addOption(witnessKeyOption())
      .addOption(quorumOption())
      .option('--json', 'print the result as JSON');
  },

  async run([file = ''], options, world) {
    const vkey = typeof options.vkey === 'string' ? options.vkey : undefined;
    const { verifyReceiptText } = await import('../../doors/verify-receipt.ts');
    const verified = verifyReceiptText(await textOf(file), file, { vkey, ...quorumFlags(options) });
    await world.print(options.json ? JSON.stringify(verified) : verified.words);
    return verified.ok ? ExitCode.Done : ExitCode.SafetyStop;
  },
};

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingRefusedError('the receipt', file, `It cannot be read (${reason}).`);
  }
}
