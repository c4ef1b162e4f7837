/** `trapeza store move`: from the embedded store to PostgreSQL. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { readConfig, settings } from '../../config/config.js';
import { MoveError, moveStore } from '../../store/move.js';
import { openDb } from '../../store/open.js';
import { openSingle } from '../../store/sqlite/single.js';
import { CommandError, type JsonFlag, parsedBy, print, printJson, printTable } from '../output.js';
import { createProgress } from '../progress.js';
import { auditOf, now, type ReasonFlag, withReason } from '../store.js';
import { extensionMigrationsOf } from '../wings.js';
import { registerAccept } from './accept.js';
import { sqlitePathOf } from './backup.js';
import { recordKeeping } from './record.js';

interface MoveFlags extends JsonFlag, ReasonFlag {
  readonly to: string;
}

const move = async ({ to, json, reason }: MoveFlags): Promise<void> => {
  const config = readConfig();
  const path = sqlitePathOf(config);
  if (!existsSync(path)) throw new CommandError(`there is no store at ${path}: check DATABASE_URL`);
  if (!to.startsWith('postgres')) throw new MoveError('a store is moved to PostgreSQL: --to postgres://…');
  const source = openSingle(path);
  try {
    source.lock();
    const target = await openDb(to, 1, { pooling: config.databasePooling });
    try {
      const more = await extensionMigrationsOf(source);
      const moved = await moveStore(source, target, {
        now: now(),
        more,
        onMoved: createProgress('rows'),
        finish: (tx, tables) => {
          const rows = tables.reduce((sum, table) => sum + table.rows, 0);
          return recordKeeping(
            tx,
            auditOf(config),
            'store.move',
            { reason },
            { from: path, tables: tables.length, rows },
          );
        },
      });
      if (json) return printJson(moved);
      printTable(moved, '');
      print('Every row is in PostgreSQL, with equal counts and hashes.');
      print(
        `Next: set DATABASE_URL to it, start the service, and keep ${path} until you are content; do not start on it again.`,
      );
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
};

export const registerStore = (program: Command): void => {
  const store = program.command('store').description('the store: move, accept');
  withReason(store.command('move'))
    .description(
      'move the embedded store (DATABASE_URL) to an empty PostgreSQL database; the service must not run',
    )
    .requiredOption('--to <url>', 'postgres://…', parsedBy(settings.databaseUrl.parse))
    .option('--json', 'print JSON')
    .action(move);
  registerAccept(store);
};
