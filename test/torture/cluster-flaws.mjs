/** Defects that the judges of `cluster` must find. */

/** The journal as one would write it first: numbers come from sequences, before the commit, and nobody waits for anybody. */
export class PlainJournal {
  #database;

  constructor(database) {
    this.#database = database;
  }

  async append(writes) {
    const { schema } = this.#database;
    const sequence = (name) => `nextval('${schema.replaceAll("'", "''")}.${name}')`;
    return await this.#database.inTransaction(async (session) => {
      const answers = [];
      for (const { kind, body, drafts = [], plan = [] } of writes) {
        for (const { source, note } of drafts) {
          const change = JSON.stringify({ time: new Date().toISOString(), note });
          await session.query(
            `INSERT INTO ${schema}.changes SELECT n, lpad(n::text, 26, '0'), 0, $1, $2 FROM (SELECT ${sequence('plain_seq')}) AS next (n)`,
            [source, change],
          );
        }
        const [{ rev }] = await session.query(
          `INSERT INTO ${schema}.writes SELECT ${sequence('plain_rev')}, $1, $2, 0, 0, 0, '', now() RETURNING rev::float8`,
          [kind, Buffer.from(body)],
        );
        for (const { id } of plan) {
          await session.query(
            `UPDATE ${schema}.sources SET holder = NULL, until = NULL, due_at = now() WHERE id = $1`,
            [id],
          );
        }
        answers.push({ rev });
      }
      return answers;
    });
  }
}

/** A database that tells the time of the process in place of its own. */
export function ownClock(database, now) {
  const { shown, schema, channel } = database;
  return {
    ...{ shown, schema, channel },
    clock: { toTheirs: (ms) => ms },
    ask: (...words) => database.ask(...words),
    listen: (...words) => database.listen(...words),
    inTransaction: (work, onEnd) =>
      database.inTransaction(
        (session) =>
          work({
            query: async (...words) =>
              (await session.query(...words)).map((row) => ('now' in row ? { ...row, now: now() } : row)),
          }),
        onEnd,
      ),
  };
}
