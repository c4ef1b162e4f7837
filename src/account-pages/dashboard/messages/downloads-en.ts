/** The words of the files that can be taken away, in English. */
import type { DashboardMessages } from './messages.js';

export const downloadsEn: Pick<DashboardMessages, 'download' | 'columns' | 'lists'> = {
  download: {
    heading: 'Download your data',
    text: 'CSV opens in a spreadsheet, JSON is for other programs.',
    list: 'This list',
    everything: 'All your data',
    fileOf: (list, format) => `${list} as ${format}`,
  },
  columns: {
    list: 'List',
    time: 'Time',
    app: 'App',
    provider: 'Provider',
    kind: 'Kind',
    status: 'State',
    covers: 'What it covers',
    purpose: 'Purpose, in the words of the app',
    since: 'Since',
    until: 'Until',
    lastUsed: 'Last used',
    uses: 'Times used',
    payee: 'Payee',
    amount: 'Amount',
    currency: 'Currency',
    answer: 'Answer',
    data: 'What it read',
    present: 'How it was read',
    account: 'Account',
    permission: 'Reference',
  },
  lists: { permission: 'Permission', funds: 'Balance check', access: 'Access to data' },
};
