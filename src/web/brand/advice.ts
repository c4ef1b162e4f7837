/** What follows from what a bank has not said of itself: the service starts without it. */
import type { Brand } from './brand.js';

const consequences: Readonly<Record<string, string>> = {
  logo: 'the pages show a drawing of a temple.',
  favicon: 'tabs show the logo; a square drawing of few shapes is read better.',
  colours: 'the pages have our own blue.',
  telephone: 'a person who did not ask for a code has no number to call.',
  sender: 'the pages announce messages under the name of the bank; name the sender that phones show.',
  help: 'account holders are led to no help; give the address of the page.',
  privacy: 'no page leads to the notice of GDPR Articles 13 and 14; give its address.',
  imprint: 'no page says who the bank is in law; give the address of the page that does.',
  accessibility: 'the pages link to a statement of ours; give the address of the bank’s own, if it has one.',
};

export interface Advice {
  readonly member: string;
  readonly text: string;
}

export const adviceFor = ({ missing }: Brand): readonly Advice[] =>
  missing.map((member) => ({ member, text: `missing: ${consequences[member]}` }));
