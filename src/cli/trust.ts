/** `trapeza trust`: trusted lists of the EU as trust anchors. */
import type { Command } from 'commander';
import { type ImportOutcome, importLists } from '../admin/trust-lists.js';
import { type AuthorityRow, listTrustLists } from '../certificate/lists/stored-lists.js';
import { systemClock } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import { CommandError, print, printJson, printTable } from './output.js';
import { actorOf, auditOf, type ReasonFlag, withAdmin, withReason } from './store.js';

const lineOf = (sign: '+' | '-', { provider, name, uses }: AuthorityRow): string =>
  `  ${sign} ${provider}: ${name} (${uses})`;

const linesOf = (outcome: ImportOutcome): string[] => {
  if ('fault' in outcome)
    return [`${outcome.source} is refused: ${outcome.fault}. What was accepted before goes on counting.`];
  const { source, territory, sequence, added, removed } = outcome;
  return [
    `${source} is accepted: ${territory}, number ${sequence}, ${added.length} service(s) added, ${removed.length} removed.`,
    ...added.map((each) => lineOf('+', each)),
    ...removed.map((each) => lineOf('-', each)),
  ];
};

const importAll = (
  named: readonly string[],
  options: ReasonFlag & { readonly json?: boolean },
): Promise<void> =>
  withAdmin(async (_admin, config, db) => {
    const sources = named.length > 0 ? named : config.trustLists;
    if (sources.length === 0)
      throw new CommandError('name files or addresses of lists, or set TRAPEZA_TRUST_LISTS');
    const audit = auditOf(config);
    const parts = {
      db,
      audit,
      clock: systemClock,
      signers: config.trustListSigners,
      proxy: config.egressProxy,
    };
    const outcomes = await importLists({ ...parts, by: actorOf(options) }, sources);
    if (options.json) printJson(outcomes);
    else for (const line of outcomes.flatMap(linesOf)) print(line);
    const refused = outcomes.filter((each) => 'fault' in each).length;
    if (refused > 0) throw new CommandError(`${refused} of ${outcomes.length} list(s) refused`);
  }, options);

export const registerTrust = (program: Command): void => {
  const trust = program.command('trust').description('trusted lists of the EU: import, list');
  withReason(trust.command('import'))
    .description(
      'verify trusted lists (ETSI TS 119 612) and take their granted CA/QC services as trust anchors',
    )
    .argument('[sources...]', 'files or addresses; those of TRAPEZA_TRUST_LISTS, if absent')
    .option('--json', 'print JSON')
    .action(importAll);
  trust
    .command('list')
    .description('list the trusted lists that count, and why the last import of one was refused')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      withAdmin(async (_admin, _config, db) => {
        const rows = (await listTrustLists(db)).map((row) => ({
          ...row,
          nextUpdate: instantText(row.nextUpdate),
          importedAt: instantText(row.importedAt),
        }));
        if (json) printJson(rows);
        else printTable(rows, 'There are no trusted lists yet: trapeza trust import --help');
      }),
    );
};
