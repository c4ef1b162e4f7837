/** What a crash or the loss of a machine could take back, although it was confirmed, by the settings that our own sessions have. */
import type { Db } from '../../store/db.js';
import { type Finding, finding } from './finding.js';

export interface Durability {
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly synchronousNames: string;
  readonly mayMakeTables: string;
  /** Of the standbys that this role may see. */
  readonly standbys: readonly { readonly name: string; readonly state: string | null }[];
}

const SETTINGS = `
  select current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
         current_setting('synchronous_commit') as "synchronousCommit",
         current_setting('synchronous_standby_names') as "synchronousNames",
         cast(has_database_privilege(current_database(), 'temporary') as text) as "mayMakeTables"`;
const STANDBYS = `
  select application_name as name, sync_state as state from pg_stat_replication order by application_name limit 100`;

const ofServer = ({ fsync, fullPageWrites }: Durability): string[] => [
  ...(fsync === 'on'
    ? []
    : [
        'fsync is off: when the machine loses power the database may be damaged, and everything since the last backup lost. Set fsync = on.',
      ]),
  ...(fullPageWrites === 'on'
    ? []
    : [
        'full_page_writes is off: a page that was half written when the machine lost power stays damaged. Set full_page_writes = on.',
      ]),
];

const WITHOUT_FLUSH =
  'synchronous_commit is off for this role or database: when the server ends without notice the confirmed payments and consents of up to a second are gone. Set it to on.';
const WITHOUT_STANDBY = (value: string): string =>
  `synchronous_commit is ${value} for this role or database: commits do not wait until the standby has them on its disk, so a failover can lose confirmed ones. Set it to on.`;

const ofCommits = ({ synchronousCommit: value, synchronousNames }: Durability): string[] => {
  if (value === 'off') return [WITHOUT_FLUSH];
  const isWeak = value === 'local' || value === 'remote_write';
  return isWeak && synchronousNames !== '' ? [WITHOUT_STANDBY(value)] : [];
};

const ofStandbys = ({ standbys }: Durability): string[] => {
  const behind = standbys.filter(({ state }) => state === 'async').map(({ name }) => name);
  const hasSynchronous = standbys.some(({ state }) => state === 'sync' || state === 'quorum');
  if (behind.length === 0 || hasSynchronous) return [];
  return [
    `every standby is asynchronous (${behind.join(', ')}): a failover loses what was confirmed and not yet received (docs/backup.md). Name one in synchronous_standby_names, or accept that.`,
  ];
};

const ofRights = ({ mayMakeTables }: Durability): string[] =>
  mayMakeTables === 'true'
    ? []
    : [
        'the role may make no temporary tables: a full disk makes a node unready only once calls have failed. Grant it TEMPORARY on the database.',
      ];

/** What can be lost is a failure; what is known to be a choice, or shows later than it could, a warning. */
export const judgeDurability = (facts: Durability): Finding[] => {
  const lost = [...ofServer(facts), ...ofCommits(facts)];
  const chosen = [...ofStandbys(facts), ...ofRights(facts)];
  const findings = [
    ...lost.map((detail) => finding('durability', 'failed', detail)),
    ...chosen.map((detail) => finding('durability', 'warning', detail)),
  ];
  return findings.length > 0
    ? findings
    : [finding('durability', 'ok', 'every commit is on the disk before it is confirmed')];
};

export const checkDurability = async (db: Db, isProduction: boolean): Promise<Finding[]> => {
  if (db.engine === 'sqlite')
    return [finding('durability', 'ok', 'every commit is on the disk before it is confirmed')];
  const settings = await db.one<Omit<Durability, 'standbys'>>(SETTINGS);
  if (!settings) throw new Error('a select without a table has one row');
  const standbys = await db.all<Durability['standbys'][number]>(STANDBYS);
  const findings = judgeDurability({ ...settings, standbys });
  return isProduction
    ? findings
    : findings.map((each) => (each.verdict === 'failed' ? { ...each, verdict: 'warning' } : each));
};
