/** `trapeza audit`: who did what and why; whether the log is as it was written; the log for an auditor. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { SEAL } from '../../audit/audit-log.js';
import { type AuditFormat, auditFormats, auditObject, auditText } from '../../audit/export.js';
import { type AuditFilter, eachAuditRow, latestAudit } from '../../audit/read.js';
import { verifyAudit } from '../../audit/verify.js';
import { inChunks } from '../../lib/format/json-stream.js';
import { instantText } from '../../lib/instant.js';
import { openPrivately } from '../../store/private-files.js';
import { CommandError, type JsonFlag, print, printJson, printTable } from '../output.js';
import { actorOf, auditOf, now, type ReasonFlag, vaultOf, withMigratedDb, withReason } from '../store.js';

const MOST = 10_000;
const USUAL = 50;

const limitFrom = (text: string): number => {
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > MOST)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
  return Number(text);
};

const list = ({ limit, json, ...filter }: AuditFilter & JsonFlag & { readonly limit: number }) =>
  withMigratedDb(async (db) => {
    const rows = await latestAudit(db, filter, limit);
    if (json) printJson(rows.map(auditObject));
    else
      printTable(
        rows.map(({ position, at, actor, act, subject, reason, details }) => ({
          position,
          at: instantText(at),
          actor,
          act,
          subject,
          reason,
          details,
        })),
        'There is no such row in the audit log.',
      );
  });

const verify = ({ head: pinned, json }: JsonFlag & { readonly head?: string }): Promise<void> =>
  withMigratedDb(async (db, config) => {
    const verdict = await verifyAudit(db, vaultOf(config), pinned);
    const { rows, head, broken, unsealed } = verdict;
    if (json) printJson(verdict);
    else if (unsealed !== undefined)
      print(
        `Row ${unsealed} has no key: a version before this one wrote it, or somebody who does not have TRAPEZA_SECRET.\nIf you have just upgraded: trapeza audit seal. If not, somebody has written the log anew.\nHead ${head}`,
      );
    else if (broken)
      print(`Row ${broken.position} is broken: ${broken.fault}. The ${rows} before it are good.`);
    else print(`All ${rows} rows are as they were written.\nHead ${head}`);
    if (broken) process.exitCode = 1;
  });

/** Once, after the upgrade from a version without a key: who seals answers for what was written before. */
const seal = (flags: ReasonFlag): Promise<void> =>
  withMigratedDb(async (db, config) => {
    const { unsealed, broken, rows } = await verifyAudit(db, vaultOf(config));
    if (unsealed === undefined) {
      if (broken) throw new CommandError(`row ${broken.position} is broken: ${broken.fault}`);
      return print('Every row has a key: there is nothing to seal.');
    }
    const details = { from: unsealed, rows };
    await db.transaction((tx) =>
      auditOf(config).append(tx, { ...actorOf(flags), act: SEAL, subject: 'audit', details }, now()),
    );
    print(`The rows without a key, from ${unsealed} to ${rows}, are sealed by row ${rows + 1}.`);
  });

const runExport = ({ format, out }: { readonly format: AuditFormat; readonly out?: string }): Promise<void> =>
  withMigratedDb(async (db) => {
    const text = Readable.from(inChunks(auditText(eachAuditRow(db), format)));
    if (out === undefined) {
      await pipeline(text, process.stdout, { end: false });
      return;
    }
    await pipeline(text, createWriteStream(out, { fd: openPrivately(out) }));
    print(`The audit log was written to ${out}.`);
  });

export const registerAudit = (program: Command): void => {
  const audit = program.command('audit').description('who did what and why: list, verify, export');
  audit
    .command('list')
    .description('list the newest rows of the audit log')
    .option('--actor <actor>', 'of this one, such as cli:root or operator:maria')
    .option('--act <act>', 'of this act, such as tpp.suspend, or of all about a thing: tpp')
    .option('--subject <subject>', 'about this, such as tpp:ID')
    .option('--limit <n>', 'how many', limitFrom, USUAL)
    .option('--json', 'print JSON')
    .action(list);
  audit
    .command('verify')
    .description('check the hash chain, name the first broken row, and print the head to keep elsewhere')
    .option('--head <hash>', 'a head that was kept: finds also rows that were cut off at the end')
    .option('--json', 'print JSON')
    .action(verify);
  withReason(audit.command('seal'))
    .description('answer for rows without a key, once after the upgrade from a version that had none')
    .action(seal);
  audit
    .command('export')
    .description('write the whole audit log, oldest first, with the hashes')
    .addOption(new Option('--format <format>', 'the format').choices([...auditFormats]).default('ndjson'))
    .addOption(new Option('--json', 'the same as --format ndjson').implies({ format: 'ndjson' }))
    .option('--out <file>', 'write to a file instead of the standard output')
    .action(runExport);
};
