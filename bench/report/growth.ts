/** The table of what funds records cost beside the calls. */
import { ms, type Table, whole } from './cells.js';
import type { GrowthRow } from './result.js';
import { engineNames } from './targets.js';

export const growthTable = (rows: readonly GrowthRow[]): Table[] =>
  rows.length === 0
    ? []
    : [
        {
          title: 'Funds records: what they take, and what it takes to list and to forget them',
          head: [
            'engine',
            'account holders',
            'records',
            'filled in s',
            'bytes per holder',
            'bytes per record',
            'list of a person, few: ms',
            'many: ms',
            'delete one: µs',
            'drop a month: ms',
          ],
          rows: rows.map((row) => [
            engineNames[row.engine],
            whole(row.people),
            whole(row.records),
            whole(row.fillSeconds),
            whole(row.holderBytes),
            whole(row.recordBytes),
            ms(row.listFewMs),
            ms(row.listMs),
            whole(row.deleteUs),
            ms(row.dropMs),
          ]),
        },
      ];
