import type { ExtensibleDatabase, SqliteStatement } from '../../src/io/sqlite/database.ts';

export interface StepFault {
  /** So many steps are still done. */
  left: number;
  fired: number;
}

/** A database whose disk fails at a step: each statement that is run is one, and none succeeds behind it but the end of the transaction. */
export function breaking(database: ExtensibleDatabase, fault: StepFault, errcode: number): ExtensibleDatabase {
  const step = <T>(work: () => T): T => {
    fault.left -= 1;
    if (fault.left > 0) return work();
    fault.fired += 1;
    throw Object.assign(new Error('disk I/O error (planted)'), { errcode });
  };
  const wrapped = (statement: SqliteStatement): SqliteStatement => ({
    run: (...values) => step(() => statement.run(...values)),
    get: (...values) => step(() => statement.get(...values)),
    all: (...values) => step(() => statement.all(...values)),
  });
  return new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => wrapped(target.prepare(sql));
      // What is left of a transaction goes with its connection, whether or not it is said so.
      if (name === 'exec')
        return (sql: string) => (/^ROLLBACK/.test(sql) ? target.exec(sql) : step(() => target.exec(sql)));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
