/** `trapeza settings`: what is in force in this environment. */
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { settingsInForce } from '../config/in-force.js';
import { type JsonFlag, printJson, printTable } from './output.js';

export const registerSettings = (program: Command): void => {
  program
    .command('settings')
    .description('show the settings of this environment; secrets are masked')
    .option('--json', 'print JSON')
    .action(({ json }: JsonFlag) => {
      const rows = settingsInForce(readConfig());
      if (json) printJson(rows);
      else
        printTable(
          rows.map(({ doc: _, isExpert, ...row }) => ({ ...row, for: isExpert ? 'experts' : 'banks' })),
          '',
        );
    });
};
