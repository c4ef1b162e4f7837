/** The report to hand over: one file without anything from outside, for the screen and for paper. */
import { areas, type Source, sources } from '../case.js';
import { type Result, type Verdict, verdicts } from '../run.js';
import { escaped } from './junit.js';
import { areasIn, countsOf, type Report } from './summary.js';

const STYLE = `
:root { color-scheme: light; --line: #c9ced6; --ink: #16202c; --soft: #55606e; --good: #17663a; --bad: #a11b1b; --open: #6b5300; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; color: var(--ink); background: #fff; font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
p { margin: .25rem 0 .75rem; } .soft { color: var(--soft); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font: .85em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.verdict { white-space: nowrap; font-weight: 600; width: 5.5rem; } .passed { color: var(--good); } .failed { color: var(--bad); } .not-run { color: var(--open); }
.total { font-size: 1.15rem; border: 1px solid var(--line); padding: .75rem 1rem; margin: 1.25rem 0; }
dl { margin: .35rem 0 0; display: grid; grid-template-columns: max-content 1fr; gap: .1rem .75rem; font-size: .92rem; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .25rem; } .verdict { width: 4.5rem; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } h2 { break-after: avoid; } tr { break-inside: avoid; } thead { display: table-header-group; } }
`;

const sourceNames: Readonly<Record<Source, string>> = {
  interface: 'The interface document',
  law: 'PSD2, RTS 2018/389 or a guideline',
  rfc: 'A standard of the Internet (RFC)',
  complaint: 'A public complaint of a third party about a bank',
  profile: 'Left open by the document; tried as docs/spec-gaps.md of Trapeza has it',
};

const words: Readonly<Record<Verdict, string>> = { passed: 'Passed', failed: 'Failed', 'not run': 'Not run' };

const fact = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `<dt>${name}</dt><dd>${escaped(value)}</dd>`;

const rowOf = ({ id, title, clause, verdict, expected, seen, reason, calls = [] }: Result): string => {
  const asked = calls.map(({ method, path, status }) => `${method} ${path}: ${status}`).join('; ');
  const facts = [
    fact('Clause', clause.text),
    fact('Because', reason),
    fact('Expected', expected),
    fact('Seen', seen),
    fact('Calls', asked === '' ? undefined : asked),
  ].join('');
  return `<tr id="${id}"><td class="verdict ${verdict.replace(' ', '-')}">${words[verdict]}</td><td>${escaped(title)} <code class="soft">${id}</code><dl>${facts}</dl></td></tr>`;
};

const tableOf = (results: readonly Result[]): string =>
  `<table><thead><tr><th scope="col">Result</th><th scope="col">Case</th></tr></thead><tbody>${results.map(rowOf).join('\n')}</tbody></table>`;

const overview = (results: readonly Result[]): string => {
  const line = (name: string, own: readonly Result[]): string => {
    const counts = countsOf(own);
    return `<tr><th scope="row">${name}</th>${verdicts.map((verdict) => `<td class="number">${counts[verdict]}</td>`).join('')}</tr>`;
  };
  const rows = areasIn(results).map((area) =>
    line(
      areas[area],
      results.filter((each) => each.area === area),
    ),
  );
  const bases = sources
    .map((source) => [source, results.filter(({ clause }) => clause.source === source)] as const)
    .filter(([, own]) => own.length > 0)
    .map(([source, own]) => line(escaped(sourceNames[source]), own));
  const head = (name: string): string =>
    `<thead><tr><th scope="col">${name}</th>${verdicts.map((verdict) => `<th scope="col" class="number">${words[verdict]}</th>`).join('')}</tr></thead>`;
  return `<h2>By area</h2><table>${head('Area')}<tbody>${rows.join('')}</tbody></table>
<h2>By what the cases rest on</h2><table>${head('Source')}<tbody>${bases.join('')}</tbody></table>`;
};

const verdictOf = (results: readonly Result[]): string => {
  const { passed, failed, 'not run': open } = countsOf(results);
  const rest = open === 0 ? '' : ` ${open} could not be tried: nothing is claimed about them.`;
  const lenient = results.filter(
    ({ verdict, clause }) => verdict === 'failed' && clause.source === 'profile',
  );
  const gaps =
    lenient.length === 0 ? '' : `, ${lenient.length} of them in what the interface document leaves open`;
  return failed === 0
    ? `All ${passed} cases that could be tried passed.${rest}`
    : `${failed} of ${passed + failed} cases that were tried failed${gaps}.${rest}`;
};

/** What needs attention comes first. */
export const htmlReport = ({ url, at, results }: Report): string => {
  const ending = (verdict: Verdict): readonly Result[] => results.filter((each) => each.verdict === verdict);
  const part = (title: string, own: readonly Result[]): string =>
    own.length === 0 ? '' : `<h2>${title} (${own.length})</h2>${tableOf(own)}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance report: ${escaped(url)}</title><style>${STYLE}</style></head><body>
<h1>Conformance report</h1>
<p>Interface at <code>${escaped(url)}</code>, tried from outside on <time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>.</p>
<p class="total">${verdictOf(results)}</p>
${overview(results)}
${part('Failed', ending('failed'))}
${part('Not run', ending('not run'))}
${part('Passed', ending('passed'))}
</body></html>
`;
};
