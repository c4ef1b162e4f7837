/** The bank's own figures as its spreadsheets write them. */
import { expect, it } from 'vitest';
import { parseChannels } from '../../src/statistics/read-channels.js';

const days = [
  { day: '2026-10-01', channel: 'Mobile app', upPercent: 99.95 },
  { day: '2026-10-02', channel: 'Web, all of it', upPercent: 100 },
];

it.each([
  [
    'commas and quotes',
    'date,channel,uptimePercent\n2026-10-01,"Mobile app",99.95\n2026-10-02,"Web, all of it",100\n',
  ],
  [
    'a Greek spreadsheet',
    '\uFEFFdate;channel;uptimePercent\r\n2026-10-01;Mobile app;99,95\r\n\r\n2026-10-02;"Web, all of it";100\r\n',
  ],
  ['tabs', 'date\tchannel\tuptimePercent\n2026-10-01\tMobile app\t99,95\n2026-10-02\tWeb, all of it\t100'],
  [
    'everything in quotes',
    '"date","channel","uptimePercent"\n"2026-10-01","Mobile app","99,95"\n"2026-10-02","Web, all of it","100"',
  ],
])('are read from %s', (_what, text) => {
  expect(parseChannels(text)).toEqual({ days });
});

it.each([
  ['2026-10-01,App,99,95', /line 2: it has more than three columns/],
  ['2026-10-01,App,100.01', /line 2: .* is not a percentage/],
  ['2026-10-01,"App,99.9', /line \d: it is not CSV: close the quotes/],
  ['01/10/2026,App,99.9', /line 2: .* is not a date/],
  ['2026-10-01,App,1\n2026-10-01,App,2', /line 3: .* twice/],
])('%s is refused', (line, fault) => {
  const read = parseChannels(`date,channel,uptimePercent\n${line}\n`);
  expect('faults' in read ? read.faults.join() : '').toMatch(fault);
});
