/** The settings of the store; see docs/operating.md. */
import { databaseUrl, oneOf, secretSetting, setting, whole } from '../lib/setting.js';

export const databaseSettings = {
  databaseUrl: secretSetting(
    'DATABASE_URL',
    databaseUrl,
    'The store: `sqlite:PATH` or `postgres://…`.',
    '`sqlite:` in the data folder',
  ),
  databasePool: setting(
    'TRAPEZA_DATABASE_POOL',
    whole(1, 1_000),
    20,
    'Connections to PostgreSQL per process, beside two by which it tries whether it can write.',
  ),
  statementMs: setting<number | undefined>(
    'TRAPEZA_STATEMENT_MS',
    whole(100, 3_600_000),
    undefined,
    'Time PostgreSQL has for a statement, with the wait for a connection; less than `TRAPEZA_DEADLINE_MS`. Then the connection is given up and the call is answered with 503.',
    'two fifths of `TRAPEZA_DEADLINE_MS`, at least a second',
  ),
  databasePooling: setting(
    'TRAPEZA_DATABASE_POOLING',
    oneOf('session', 'transaction'),
    'session',
    'How a pooler in front of PostgreSQL, such as PgBouncer, shares its sessions. `transaction` turns off named statements and settings of the session; `session` is also right without a pooler.',
  ),
} as const;
