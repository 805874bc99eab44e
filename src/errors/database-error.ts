/** Problems with the database that several processes of a hub share. No message contains a password. */

import { CodedError } from './coded-error.ts';

/** Only a person can fix it: access rights, or other data in the database. */
export function databaseRefusedError(place: string, reason: string, remedy: string): CodedError {
  const message = `${place} cannot be the database of a hub: ${reason}. ${remedy}`;
  return new CodedError('DatabaseRefusedError', 'fix-input', message, { place });
}

/** Its tables have another format than this version writes. */
export function databaseFormatError(place: string, found: number, known: number): CodedError {
  const message = `${place} is in format ${found}, this Tidings knows ${known}. Nothing was written. Upgrade Tidings on this machine, then run again.`;
  return new CodedError('DatabaseFormatError', 'fix-input', message, { place, found, known });
}

/** Its tables are those of an earlier version, whose processes may still run: only a server upgrades them. */
export function databaseBehindError(place: string, found: number, known: number): CodedError {
  const message = `${place} is in format ${found}, this Tidings knows ${known}. Nothing was written. Start a server of this version on it first, or use the version that the others run.`;
  return new CodedError('DatabaseFormatError', 'fix-input', message, { place, found, known });
}

/** Only hubs that share a database need `pg`. */
export function driverMissingError(place: string, cause: unknown): CodedError {
  const message = `${place} needs the package pg, which is missing. Install it beside tidings: npm i pg`;
  return new CodedError('DriverMissingError', 'fix-config', message, { place, cause });
}

/** The next writes to read are no longer kept separately: a base contains them. */
export function journalCutError(place: string, rev: number): CodedError {
  const message = `${place} keeps no writes right behind ${rev} any more: they are part of a newer base. Start this process again: its data folder is filled from that one.`;
  return new CodedError('JournalCutError', 'fix-input', message, { place, rev });
}

export function isJournalCut(error: unknown): boolean {
  return error instanceof CodedError && error.name === 'JournalCutError';
}
