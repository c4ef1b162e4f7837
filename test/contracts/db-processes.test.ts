/** Several processes on one database: what one of them does alone, no other does at the same time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDb } from '../../src/store/open.js';
import { cleanUp, Program, tempFolder } from '../cli/program.js';
import { unbundledFile } from '../lib/build.js';
import { createDatabase } from '../support/database.js';
import { racingEngines } from '../support/engines.js';

afterAll(cleanUp);

/** Runs a script with an open `db` in a process of its own. */
const inProcess = (databaseUrl: string, script: string): Program =>
  new Program(
    process.execPath,
    [
      '--conditions=unbundled',
      '--input-type=module',
      '--eval',
      `import { appendFileSync } from 'node:fs';
       import { openDb } from ${JSON.stringify(unbundledFile('store/open.js'))};
       const db = await openDb(process.env.DATABASE_URL, 3);
       ${script}
       await db.close();`,
    ],
    { env: { DATABASE_URL: databaseUrl } },
  );

const PROCESSES = 3;
const ROUNDS = 15;

const runAll = async (databaseUrl: string, script: string): Promise<void> => {
  const programs = Array.from({ length: PROCESSES }, () => inProcess(databaseUrl, script));
  for (const { code, stderr } of await Promise.all(programs.map(({ finished }) => finished)))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
};

const engines = racingEngines(
  'processes exclude each other by an advisory lock on PostgreSQL, by the lock of the file on SQLite',
);

describe.each(engines)('several processes on one %s database', (engine) => {
  it('take turns in exclusive work', async () => {
    const database = await createDatabase(engine);
    const trace = join(tempFolder(), 'trace');
    await runAll(
      database.url,
      `for (let round = 0; round < ${ROUNDS}; round += 1) {
         await db.exclusive(async (tx) => {
           appendFileSync(${JSON.stringify(trace)}, 'enter\\n');
           for (let step = 0; step < 5; step += 1) {
             await tx.one('select 1 as one');
             await new Promise((resolve) => setImmediate(resolve));
           }
           appendFileSync(${JSON.stringify(trace)}, 'leave\\n');
         });
       }`,
    );
    const steps = readFileSync(trace, 'utf8').trimEnd().split('\n');
    expect(steps).toHaveLength(PROCESSES * ROUNDS * 2);
    expect(steps.filter((step, index) => step !== (index % 2 === 0 ? 'enter' : 'leave'))).toEqual([]);
    await database.drop();
  });

  it('never lose an increment of one another', async () => {
    const database = await createDatabase(engine);
    const db = await openDb(database.url, 2);
    await db.script(`create table counters (name text primary key, value bigint not null);
                     insert into counters values ('n', 0);`);
    await runAll(
      database.url,
      `await Promise.all(Array.from({ length: ${ROUNDS} }, () => db.transaction(async (tx) => {
         await tx.one('select 1 as one');
         await tx.run('update counters set value = value + 1 where name = ?', ['n']);
       })));`,
    );
    expect(await db.one('select value from counters')).toEqual({ value: PROCESSES * ROUNDS });
    await db.close();
    await database.drop();
  });
});
