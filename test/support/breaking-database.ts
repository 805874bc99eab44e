import type { ExtensibleDatabase, SqliteStatement } from '../../src/io/sqlite/database.ts';

export interface StepFault {
  /** The number of steps that still succeed. */
  left: number;
  fired: number;
}

/** A database whose disk fails at a step: each executed statement is one, and after the failure only the end of the transaction succeeds. */
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
      // A transaction ends with its connection, even without ROLLBACK.
      if (name === 'exec')
        return (sql: string) => (/^ROLLBACK/.test(sql) ? target.exec(sql) : step(() => target.exec(sql)));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
