import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { createFileFolder } from '../io/files/folder.ts';
import type { NamedWitness } from '../witness/ask-witness.ts';
import { type Cosign, createCosigner } from '../witness/cosigner.ts';
import { gatherCosignatures } from '../witness/gather-cosignatures.ts';
import { decodeNamedWitness } from '../witness/named-witness.ts';
import { submissionOf } from '../witness/submit-checkpoint.ts';
import { type HttpOptions, openGuarded } from './open-http.ts';

const CHECKPOINT = 'checkpoint';

/** Throws a {@link SettingRefusedError} if a text is not `<vkey>@<url>`. */
export function witnessesOf(texts: readonly string[]): readonly NamedWitness[] {
  return texts.map((text) => {
    const witness = decodeNamedWitness(text);
    if (witness.ok) return witness.value;
    throw new SettingRefusedError('witness', text.slice(0, 200), witness.issues[0].message);
  });
}

/**
 * Asks the witnesses to cosign the checkpoint of a published folder, and adds their cosignatures to it. `prefix` is the folder of the log. Returns a line for
 * each witness that did not cosign; the site stays published.
 */
export async function cosignFolder(
  prefix: string,
  witnesses: readonly NamedWitness[],
  options: HttpOptions,
): Promise<readonly string[]> {
  const folder = createFileFolder(prefix);
  const bytes = await folder.read(CHECKPOINT);
  if (bytes === undefined || witnesses.length === 0) return [];
  const before = new TextDecoder().decode(bytes);
  const tiles = { name: prefix, read: (path: string) => folder.read(path) };
  const http = await openGuarded(options);
  try {
    const { note, answers } = await gatherCosignatures(witnesses, submissionOf(before, tiles), { http });
    if (note !== before) await folder.replace(CHECKPOINT, new TextEncoder().encode(note));
    return answers.flatMap(({ witness, answer }) =>
      answer.is === 'cosigned' ? [] : [`The witness ${witness.key.name} did not cosign. ${answer.reason}`],
    );
  } finally {
    await http[Symbol.asyncDispose]();
  }
}

export type CosignerLogger = Pick<HubLogger, 'error'> & Partial<Pick<HubLogger, 'warn' | 'info'>>;

/** The same for a hub, checkpoint by checkpoint. Undefined if it names no witnesses. */
export function hubCosigner(
  config: HttpOptions & { readonly witnesses?: readonly string[] },
  logger: CosignerLogger,
): Cosign | undefined {
  const witnesses = witnessesOf(config.witnesses ?? []);
  if (witnesses.length === 0) return undefined;
  let cosigner: Promise<Cosign> | undefined;
  const open = async () =>
    createCosigner({
      witnesses,
      http: await openGuarded(config),
      onStanding({ key }, answer) {
        if (answer.is === 'cosigned') logger.info?.({ witness: key.name }, 'A witness cosigns again');
        else if (answer.is === 'ahead')
          logger.error(
            { witness: key.name, reason: answer.reason },
            'A witness knows more of the provable log than this hub',
          );
        else
          logger.warn?.(
            { witness: key.name, reason: answer.reason },
            'A witness does not cosign; it is asked again with the next checkpoint',
          );
      },
    });
  return async (submission, signal) => {
    cosigner ??= open();
    return (await cosigner)(submission, signal);
  };
}
