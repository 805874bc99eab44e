import { databaseRefusedError } from '../../../errors/database-error.ts';
import { LogFullError, LogUnavailableError } from '../../../errors/log-error.ts';
import { StateCorruptError } from '../../../errors/state-corrupt-error.ts';
import { TidingsError } from '../../../errors/tidings-error.ts';
import { isOfTheConnection, postgresReason, sqlStateOf, unheardRemedy } from '../postgres-errors.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const FOR_A_PERSON: Readonly<Record<string, string>> = {
  '28000': 'Check the user and how the server lets it in (pg_hba.conf).',
  '28P01': 'Check the user and its password.',
  '3D000': 'Make the database first: createdb.',
  '3F000': 'Make the schema first, or name another one with ?schema=.',
  '42501': 'Grant this user CREATE on the database, or on the schema that ?schema= names.',
  '42703': 'A table is not that of a hub: name another schema with ?schema=.',
  '42P01': 'A table of the hub is gone: bring it back from a backup of the database.',
};
const PASSES: Readonly<Record<string, string>> = {
  '25006': 'It takes no writes: name the primary server, or wait until this one is.',
  '53300': 'Let the server take more connections (max_connections), or run fewer processes.',
  '53400': 'Let the server take more connections, or run fewer processes.',
};
const WAIT = 'Check that the server runs and can be reached from here.';
const DISK_FULL = '53100';
/** A number that is given twice, a value that its own rules forbid: rows were brought there by other hands. */
const OTHER_HANDS = /^23/;
/** What the server does not understand is ours to mend. */
const BUG = /^(?:42|0A|22)/;

/**
 * What a failure of the database means to its hub. A bug passes through. A fault that only a person can fix ends a starting process; one that has worked on
 * this database continues with what it has until the fault is fixed.
 */
export function explainDatabaseError(shown: string, error: unknown, isProven = false): unknown {
  if (error instanceof TidingsError) return error;
  const code = sqlStateOf(error);
  const remedy = code === undefined ? unheardRemedy(error) : FOR_A_PERSON[code];
  if (remedy !== undefined && isProven) return unavailable(shown, error, remedy);
  if (remedy !== undefined) return databaseRefusedError(shown, postgresReason(error), remedy);
  if (code === undefined) return isOfTheConnection(error) ? unavailable(shown, error) : error;
  if (code === DISK_FULL) return new LogFullError(shown, new Error(postgresReason(error)));
  if (OTHER_HANDS.test(code)) {
    return new StateCorruptError(shown, `${postgresReason(error)}.`, 'Bring the whole database back from one backup.');
  }
  return BUG.test(code) ? error : unavailable(shown, error, PASSES[code]);
}

/** Only the reason is passed on: the error of the driver contains the credentials. */
function unavailable(shown: string, error: unknown, remedy = WAIT): LogUnavailableError {
  return new LogUnavailableError(shown, new Error(postgresReason(error)), remedy);
}
